import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { BillingAnswer } from '@tollgate/contract/billing-types'
import { useState } from 'react'
import { useSeller } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { moneyText } from '../../parts/money.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Day } from '../../parts/time.tsx'
import { answerOf } from '../../queries/answer.ts'
import { itemQuery } from '../../queries/billing.ts'
import { subscriptionsWords } from './subscriptions.texts.ts'

const { missed: words } = subscriptionsWords

type Choice = BillingAnswer<'getMissedPeriods'>['choices'][number]

/**
 * Subscriptions from before renewals existed: what each choice for their missed periods would charge, and the decision.
 * Nothing shows where no subscription is undecided.
 */
export function MissedPeriods() {
  const { billing, organization, may } = useSeller()
  const { id } = organization
  const { data } = useQuery(itemQuery(['missed-periods', id], (options) => billing.getMissedPeriods({ id }, options)))
  const [asked, setAsked] = useState<Choice>()
  if (!data || data.subscriptionsCount === 0 || !may('subscription', 'write')) return null
  return (
    <Panel title={words.title}>
      <p className="panel-text">{words.text(data.subscriptionsCount)}</p>
      <ul className="rows">
        {data.choices.map((choice) => (
          <li key={choice.name}>
            <span className="grow">
              {words.choices[choice.name]}
              <span className="quiet block">{chargedText(choice)}</span>
              {choice.firstRenewalAt ? (
                <span className="quiet block">
                  {words.first} <Day at={choice.firstRenewalAt} />
                </span>
              ) : null}
            </span>
            <Button variant="default" size="compact-sm" onClick={() => setAsked(choice)}>
              {words.choose[choice.name]}
            </Button>
          </li>
        ))}
      </ul>
      <ActionDialog
        opened={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={asked ? words.choices[asked.name] : ''}
        text={asked ? chargedText(asked) : ''}
        submit={asked ? words.choose[asked.name] : ''}
        danger={asked?.name === 'bill_missed'}
        run={async () => {
          if (!asked) return undefined
          await answerOf(billing.decideMissedPeriods({ id, choice: asked.name }))
          return words.chosen
        }}
      />
    </Panel>
  )
}

/** What a choice charges, in each currency. */
function chargedText({ ordersCount, amounts }: Choice): string {
  if (ordersCount === 0) return words.nothing
  const total = amounts.map(({ amount, currency }) => moneyText(amount, currency)).join(', ')
  return words.charged(ordersCount, total || words.free)
}
