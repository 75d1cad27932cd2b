import { useQuery } from '@tanstack/react-query'
import type { BillingAnswer } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { DataPanel, Fact } from '../../parts/facts.tsx'
import { Panel } from '../../parts/panel.tsx'
import { listQuery } from '../../queries/billing.ts'
import { answerText } from './answer-text.ts'

type Field = BillingAnswer<'listCustomFields'>['items'][number]
type Props = { title: string; none: string; data: Readonly<Record<string, unknown>> }

const all = { limit: 100 }

/** What a buyer has answered at the checkout: by the names of the questions, where they can be read and are still there. */
export function AnswersPanel({ title, none, data }: Props) {
  const { billing, may } = useSeller()
  const slugs = Object.keys(data)
  const fields = useQuery({
    ...listQuery<Field>(['custom-fields', all], (options) => billing.listCustomFields(all, options)),
    enabled: slugs.length > 0 && may('product', 'read'),
  })
  if (slugs.length === 0) return <DataPanel title={title} none={none} data={data} />
  const bySlug = new Map(fields.data?.items.map((field) => [field.slug, field]))
  return (
    <Panel title={title}>
      <dl className="facts data">
        {Object.entries(data).map(([slug, value]) => {
          const field = bySlug.get(slug)
          return (
            <Fact key={slug} label={field?.name ?? slug}>
              {field ? answerText(field, value) : raw(value)}
            </Fact>
          )
        })}
      </dl>
    </Panel>
  )
}

const raw = (value: unknown) => <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>
