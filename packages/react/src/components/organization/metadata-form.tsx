import { metadataIn, organizationMetadata } from '@tollgate/contract/forms'
import { useRef, useState } from 'react'
import { Button } from '../../elements/button.tsx'
import { Field } from '../../elements/field.tsx'
import type { FormState } from '../../form-state.ts'
import { useFormOf } from '../../hooks/use-form-of.ts'
import { useMessages, useText } from '../../provider.tsx'
import { Hidden, Submit } from '../form-parts.tsx'
import type { SectionData } from './data.ts'
import { TextField } from './fields.tsx'
import { type MetadataRow, metadataOf, rowsOf } from './metadata.ts'
import { type Report, useFields, usePageOf, useRefusalText } from './parts.tsx'

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
  const texts = useMessages('organizationSettings')
  const common = useMessages('organization')
  const refusalText = useRefusalText()
  const own = state?.form === 'organization-metadata' ? state : undefined
  const text = own?.values?.metadata ?? JSON.stringify(data.organization.metadata ?? {}, null, 2)
  const [rows, setRows] = useState(() => rowsOf(metadataIn(text) ?? data.organization.metadata ?? {}))
  const [code, setCode] = useState<string>()
  const read = metadataOf(rows)
  const form = useFormOf(organizationMetadata, {
    state: own,
    at: { organization: data.organization, metadata: 'data' in read ? read.data : undefined },
    onSend: () => {
      setCode('code' in read ? read.code : undefined)
      report({})
      return 'data' in read
    },
    report: (result) => report(result),
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
