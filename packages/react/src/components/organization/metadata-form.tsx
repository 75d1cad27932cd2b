import { useRef, useState } from 'react'
import { Button } from '../../elements/button.tsx'
import { Field } from '../../elements/field.tsx'
import type { FormState } from '../../form-state.ts'
import { doneState, useForm } from '../../hooks/use-form.ts'
import { useTollgate } from '../../hooks/use-session.ts'
import { useMessages, useText } from '../../provider.tsx'
import { Hidden, Submit } from '../form-parts.tsx'
import type { SectionData } from './data.ts'
import { TextField } from './fields.tsx'
import { type MetadataRow, metadataOf, parseMetadata, rowsOf } from './metadata.ts'
import { type Report, sent, useFields, usePageOf, useRefusalText } from './parts.tsx'

/**
 * Keys and values, one row each. Without JavaScript a JSON text replaces them: the style sheet shows one of the two,
 * so that nothing moves.
 */
export function MetadataForm({
  data,
  state,
  report,
}: {
  data: SectionData<'settings'>
  state: FormState | undefined
  report: Report
}) {
  const client = useTollgate()
  const texts = useMessages('organizationSettings')
  const common = useMessages('organization')
  const refusalText = useRefusalText()
  const own = state?.form === 'organization-metadata' ? state : undefined
  const text = own?.values?.metadata ?? JSON.stringify(data.organization.metadata ?? {}, null, 2)
  const [rows, setRows] = useState(() => rowsOf(parseMetadata(text) ?? data.organization.metadata ?? {}))
  const [code, setCode] = useState<string>()
  const form = useForm({
    name: 'organization-metadata',
    state: own,
    fields: {},
    submit: async () => {
      const read = metadataOf(rows)
      setCode('code' in read ? read.code : undefined)
      if ('code' in read) return report({})
      const metadata = Object.keys(read.data).length > 0 ? { ...read.data } : null
      const call = client.updateOrganization({ organizationId: data.organization.id, data: { metadata } })
      return report(await sent(call, ['metadata'], () => doneState('organization-saved')))
    },
  })
  const field = useFields(form, 'organization')
  const error = code ? refusalText(code) : field('metadata').error
  return (
    <form {...form.props} action={usePageOf(data)('settings')} data-tg="form">
      <Hidden form={form.name} />
      <div data-tg="scripted">
        <Rows rows={rows} onChange={setRows} />
        {error ? (
          <p data-tg="field-error" aria-live="polite">
            {error}
          </p>
        ) : null}
      </div>
      <div data-tg="scriptless">
        <TextField
          {...field('metadata')}
          label={texts.metadataJson}
          defaultValue={text}
          rows={6}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <Submit form={form} look="secondary" busyLabel={common.saving}>
        {common.save}
      </Submit>
    </form>
  )
}

function Rows({ rows, onChange }: { rows: readonly MetadataRow[]; onChange: (rows: MetadataRow[]) => void }) {
  const texts = useMessages('organizationSettings')
  const t = useText()
  const list = useRef<HTMLDivElement>(null)
  const nextId = rows.reduce((highest, { id }) => Math.max(highest, id), -1) + 1
  const change = (id: number, part: Partial<MetadataRow>) =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...part } : row)))

  function add() {
    onChange([...rows, { id: nextId, key: '', value: '', json: false }])
    // Rendered in time: a press is handled before anything else.
    setTimeout(() => document.getElementById(`metadata-key-${nextId}`)?.focus())
  }

  function drop(id: number) {
    onChange(rows.filter((row) => row.id !== id))
    list.current?.querySelector<HTMLElement>('[data-add]')?.focus()
  }

  return (
    <div data-tg="pairs" ref={list}>
      {rows.map(({ id, key, value }, at) => (
        <div key={id} data-tg="pair">
          <Field
            id={`metadata-key-${id}`}
            name=""
            label={t(texts.key, { number: at + 1 })}
            value={key}
            onChange={(event) => change(id, { key: event.target.value })}
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
          />
          <Field
            id={`metadata-value-${id}`}
            name=""
            label={t(texts.value, { number: at + 1 })}
            value={value}
            onChange={(event) => change(id, { value: event.target.value })}
            autoComplete="off"
          />
          <button
            type="button"
            data-tg="drop"
            aria-label={t(texts.dropRow, { number: at + 1 })}
            onClick={() => drop(id)}
          >
            <span aria-hidden="true">×</span>
          </button>
        </div>
      ))}
      <Button look="quiet" data-add="" onClick={add}>
        {texts.addRow}
      </Button>
    </div>
  )
}
