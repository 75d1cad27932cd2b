import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { useSeller } from '../context.ts'
import type { ErrorOf } from '../parts/form-errors.ts'
import { moneyText } from '../parts/money.tsx'
import { Panel } from '../parts/panel.tsx'
import { CurrencySelect } from './currency-select.tsx'
import { meterChoices } from './lists.ts'
import { kinds, type ProductDraft, priceLimits, type UsageDraft, usageStart } from './product-draft.ts'
import { productWords as words } from './products.texts.ts'

export type PartProps = {
  draft: ProductDraft
  change: (changes: Partial<ProductDraft>) => void
  errorOf: ErrorOf
}

/** What a product costs: one price that everybody pays, of four kinds, and any number by usage. */
export function PricesPanel({ draft, change, errorOf, isNew }: PartProps & { isNew: boolean }) {
  const { kind, currency, interval } = draft
  const { least, most, mostChosen } = priceLimits
  const text = (amount: number) => moneyText(amount, currency)
  const rules = {
    fixed: words.rules.fixed(text(least), text(most)),
    custom: words.rules.custom(text(least), text(mostChosen)),
    free: words.rules.free,
    none: words.rules.none,
  }
  const offered = kinds.filter((each) => each !== 'none' || interval !== 'one_time')
  const amountField = (field: 'amount' | 'minimum' | 'maximum' | 'preset', path: string) => (
    <TextInput
      label={words[field]}
      inputMode="decimal"
      autoComplete="off"
      maxLength={20}
      value={draft[field]}
      error={errorOf(path)}
      onChange={(event) => change({ [field]: event.currentTarget.value })}
    />
  )
  return (
    <Panel title={words.prices}>
      <div className="panel-fields">
        {isNew ? null : <p className="quiet">{words.newPrices}</p>}
        <div className="side-by-side">
          <NativeSelect
            label={words.kind}
            data={offered.map((value) => ({ value, label: words.kinds[value] }))}
            value={kind}
            error={errorOf('prices') ?? errorOf('prices.0.amount_type')}
            onChange={(event) => change({ kind: kinds.find((each) => each === event.currentTarget.value) ?? 'fixed' })}
          />
          {kind === 'fixed' ? amountField('amount', 'prices.0.price_amount') : null}
          {kind === 'free' ? null : (
            <CurrencySelect
              value={currency}
              onChange={(chosen) => change({ currency: chosen })}
              error={errorOf(`prices.0.price_currency`)}
            />
          )}
        </div>
        {kind === 'custom' ? (
          <div className="side-by-side">
            {amountField('minimum', 'prices.0.minimum_amount')}
            {amountField('preset', 'prices.0.preset_amount')}
            {amountField('maximum', 'prices.0.maximum_amount')}
          </div>
        ) : null}
        <p className="quiet">{rules[kind]}</p>
      </div>
      <UsagePrices draft={draft} change={change} errorOf={errorOf} />
    </Panel>
  )
}

let lines = 0
const newLine = (): UsageDraft => {
  lines += 1
  return { key: `new-${lines}`, meterId: '', unitAmount: '', cap: '' }
}

function UsagePrices({ draft, change, errorOf }: PartProps) {
  const { billing, slug } = useSeller()
  const { data } = useQuery(meterChoices(billing))
  const add = useRef<HTMLButtonElement>(null)
  const { usage, interval } = draft
  const meters = data?.items ?? []

  if (interval === 'one_time') return null
  const set = (index: number, changes: Partial<UsageDraft>) =>
    change({ usage: usage.map((line, each) => (each === index ? { ...line, ...changes } : line)) })
  return (
    <fieldset className="panel-fields ruled">
      <legend className="visually-hidden">{words.usage}</legend>
      <div>
        <h3>{words.usage}</h3>
        <p className="quiet">{words.usageHint}</p>
      </div>
      {usage.map((line, index) => {
        const path = `prices.${usageStart(draft) + index}`
        return (
          <div key={line.key} className="usage">
            <NativeSelect
              label={words.meterLabel}
              aria-label={words.meter(index + 1)}
              data={[{ value: '', label: '' }, ...meters.map(({ id, name }) => ({ value: id, label: name }))]}
              value={line.meterId}
              error={errorOf(`${path}.meter_id`)}
              onChange={(event) => set(index, { meterId: event.currentTarget.value })}
            />
            <TextInput
              label={words.unitLabel}
              aria-label={words.unitAmount(index + 1)}
              description={words.unitHint}
              inputMode="decimal"
              autoComplete="off"
              maxLength={40}
              value={line.unitAmount}
              error={errorOf(`${path}.unit_amount`)}
              onChange={(event) => set(index, { unitAmount: event.currentTarget.value })}
            />
            <TextInput
              label={words.capLabel}
              aria-label={words.cap(index + 1)}
              description={words.capHint}
              inputMode="decimal"
              autoComplete="off"
              maxLength={20}
              value={line.cap}
              error={errorOf(`${path}.cap_amount`)}
              onChange={(event) => set(index, { cap: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={32}
              aria-label={words.removeUsage(index + 1)}
              onClick={() => {
                change({ usage: usage.filter((each) => each !== line) })
                add.current?.focus()
              }}
            >
              <IconX size={16} stroke={1.6} />
            </ActionIcon>
          </div>
        )
      })}
      {data && meters.length === 0 ? (
        <p className="quiet">
          {words.noMeters}{' '}
          <Link to="/dashboard/$slug/meters/$meterId" params={{ slug, meterId: 'new' }} className="link">
            {words.toMeters}
          </Link>
        </p>
      ) : (
        <div>
          <Button
            ref={add}
            variant="default"
            size="compact-md"
            leftSection={<IconPlus size={16} stroke={1.6} aria-hidden />}
            onClick={() => change({ usage: [...usage, newLine()] })}
          >
            {words.addUsage}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
