import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { CurrencySelect } from './currency-select.tsx'
import { type CurrencyDraft, currencyStart, hasCurrencies, mostCurrencies, newCurrency } from './product-draft.ts'
import type { PartProps } from './product-prices.tsx'
import { productWords } from './products.texts.ts'

const words = productWords.currencies

export const behaviors = ['usual', 'exclusive', 'inclusive'] as const

type Props = PartProps & { isNew: boolean }

/** The same prices in further currencies, for buyers of other countries. */
export function Currencies({ draft, change, errorOf, isNew }: Props) {
  const { currencies } = draft
  const adding = useRef<HTMLButtonElement>(null)
  const [removed, setRemoved] = useState(0)
  // The focused button disappears with its currency.
  useEffect(() => {
    if (removed > 0) adding.current?.focus()
  }, [removed])
  if (!hasCurrencies(draft)) return null
  return (
    <fieldset className="panel-fields ruled">
      <legend className="visually-hidden">{words.title}</legend>
      <div>
        <h3>{words.title}</h3>
        <p className="quiet">{words.hint}</p>
      </div>
      {currencies.map((each, index) => (
        <Currency
          key={each.id}
          {...{ draft, errorOf, isNew, index }}
          own={each}
          set={(changes) =>
            change({ currencies: currencies.map((other) => (other === each ? { ...each, ...changes } : other)) })
          }
          remove={() => {
            change({ currencies: currencies.filter((other) => other !== each) })
            setRemoved(removed + 1)
          }}
        />
      ))}
      {currencies.length < mostCurrencies - 1 ? (
        <div>
          <Button
            ref={adding}
            variant="default"
            size="compact-md"
            leftSection={<IconPlus size={16} stroke={1.6} aria-hidden />}
            onClick={() => change({ currencies: [...currencies, newCurrency(draft)] })}
          >
            {words.add}
          </Button>
        </div>
      ) : null}
    </fieldset>
  )
}

type CurrencyProps = Omit<Props, 'change'> & {
  own: CurrencyDraft
  index: number
  set: (changes: Partial<CurrencyDraft>) => void
  remove: () => void
}

/** The amounts of one further currency. */
function Currency({ draft, errorOf, isNew, own, index, set, remove }: CurrencyProps) {
  const { kind, interval, usage } = draft
  const code = own.currency.toUpperCase()
  const start = currencyStart(draft, index)
  const lines = interval === 'one_time' ? [] : usage
  const ownPrices = kind === 'fixed' || kind === 'custom' ? 1 : 0
  /** An amount of this currency. */
  const amountField = (label: string, value: string, path: string, onChange: (value: string) => void, length = 20) => (
    <TextInput
      label={label}
      aria-label={words.amount(label, code)}
      inputMode="decimal"
      autoComplete="off"
      maxLength={length}
      value={value}
      error={errorOf(path)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
  const field = (name: 'amount' | 'minimum' | 'preset' | 'maximum', path: string) =>
    amountField(productWords[name], own[name], `prices.${start}.${path}`, (value) => set({ [name]: value }))
  return (
    <fieldset className="panel-fields ruled">
      <legend className="visually-hidden">{words.one(code)}</legend>
      <div className="side-by-side">
        <CurrencySelect
          value={own.currency}
          onChange={(currency) => set({ currency })}
          error={errorOf(`prices.${start}.price_currency`)}
        />
        {kind === 'fixed' ? field('amount', 'price_amount') : null}
      </div>
      {kind === 'custom' ? (
        <div className="side-by-side">
          {field('minimum', 'minimum_amount')}
          {field('preset', 'preset_amount')}
          {field('maximum', 'maximum_amount')}
        </div>
      ) : null}
      {lines.map((line, place) => {
        const path = `prices.${start + ownPrices + place}`
        const amounts = own.usage[line.id] ?? { unitAmount: '', cap: '' }
        const setAmounts = (changes: Partial<typeof amounts>) =>
          set({ usage: { ...own.usage, [line.id]: { ...amounts, ...changes } } })
        return (
          <div key={line.id} className="side-by-side">
            {amountField(
              productWords.unitAmount(place + 1),
              amounts.unitAmount,
              `${path}.unit_amount`,
              (unitAmount) => setAmounts({ unitAmount }),
              40,
            )}
            {amountField(productWords.cap(place + 1), amounts.cap, `${path}.cap_amount`, (cap) => setAmounts({ cap }))}
          </div>
        )
      })}
      <NativeSelect
        label={productWords.taxBehavior}
        data={behaviors
          .filter((each) => isNew || each !== 'usual')
          .map((value) => ({ value, label: productWords.taxBehaviors[value] }))}
        value={own.taxBehavior}
        error={errorOf(`prices.${start}.tax_behavior`)}
        onChange={(event) =>
          set({ taxBehavior: behaviors.find((each) => each === event.currentTarget.value) ?? 'usual' })
        }
      />
      <div>
        <Button variant="default" size="compact-md" onClick={remove}>
          {words.remove(code)}
        </Button>
      </div>
    </fieldset>
  )
}
