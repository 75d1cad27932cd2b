import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useSeller } from '../../context.ts'
import type { ErrorOf } from '../../parts/form-errors.ts'
import { Lines } from '../../parts/lines.tsx'
import { moneyText } from '../../parts/money.tsx'
import { Panel } from '../../parts/panel.tsx'
import { meterChoices } from '../lists/lists.ts'
import { CurrencySelect } from './currency-select.tsx'
import { behaviors, Currencies } from './product-currencies.tsx'
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
              {...(draft.currencies.length > 0 && { description: words.currencies.default })}
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
        {kind === 'free' ? null : (
          <NativeSelect
            label={words.taxBehavior}
            description={words.taxBehaviorHint}
            data={behaviors
              .filter((each) => isNew || each !== 'usual')
              .map((value) => ({ value, label: words.taxBehaviors[value] }))}
            value={draft.taxBehavior}
            error={errorOf('prices.0.tax_behavior')}
            onChange={(event) =>
              change({ taxBehavior: behaviors.find((each) => each === event.currentTarget.value) ?? 'usual' })
            }
          />
        )}
        <p className="quiet">{rules[kind]}</p>
      </div>
      <UsagePrices draft={draft} change={change} errorOf={errorOf} />
      <Currencies draft={draft} change={change} errorOf={errorOf} isNew={isNew} />
    </Panel>
  )
}

let lines = 0
const newLine = (): UsageDraft => {
  lines += 1
  return { id: `new-${lines}`, meterId: '', unitAmount: '', cap: '' }
}

function UsagePrices({ draft, change, errorOf }: PartProps) {
  const { billing, slug } = useSeller()
  const { data } = useQuery(meterChoices(billing))
  const { usage, interval } = draft
  const meters = data?.items ?? []
  const hasNoMeters = data?.items.length === 0

  if (interval === 'one_time') return null
  return (
    <fieldset className="panel-fields ruled">
      <legend className="visually-hidden">{words.usage}</legend>
      <div>
        <h3>{words.usage}</h3>
        <p className="quiet">{words.usageHint}</p>
      </div>
      <Lines
        lines={usage}
        onChange={(changed) => change({ usage: changed })}
        add={(before) => [...before, newLine()]}
        words={{ add: words.addUsage, remove: (_, number) => words.removeUsage(number) }}
        look="usage"
        {...(hasNoMeters && { most: 0 })}
      >
        {({ meterId, unitAmount, cap }, set, index) => {
          const path = `prices.${usageStart(draft) + index}`
          return (
            <>
              <NativeSelect
                label={words.meterLabel}
                aria-label={words.meter(index + 1)}
                data={[{ value: '', label: '' }, ...meters.map(({ id, name }) => ({ value: id, label: name }))]}
                value={meterId}
                error={errorOf(`${path}.meter_id`)}
                onChange={(event) => set({ meterId: event.currentTarget.value })}
              />
              <TextInput
                label={words.unitLabel}
                aria-label={words.unitAmount(index + 1)}
                description={words.unitHint}
                inputMode="decimal"
                autoComplete="off"
                maxLength={40}
                value={unitAmount}
                error={errorOf(`${path}.unit_amount`)}
                onChange={(event) => set({ unitAmount: event.currentTarget.value })}
              />
              <TextInput
                label={words.capLabel}
                aria-label={words.cap(index + 1)}
                description={words.capHint}
                inputMode="decimal"
                autoComplete="off"
                maxLength={20}
                value={cap}
                error={errorOf(`${path}.cap_amount`)}
                onChange={(event) => set({ cap: event.currentTarget.value })}
              />
            </>
          )
        }}
      </Lines>
      {hasNoMeters ? (
        <p className="quiet">
          {words.noMeters}{' '}
          <Link to="/dashboard/$slug/meters/$meterId" params={{ slug, meterId: 'new' }} className="link">
            {words.toMeters}
          </Link>
        </p>
      ) : null}
    </fieldset>
  )
}
