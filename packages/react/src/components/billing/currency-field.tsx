import type { ComponentProps } from 'react'
import { useMessages, useTollgateContext } from '../../provider.tsx'
import { SelectField } from '../organization/fields.tsx'

type Props = Omit<ComponentProps<typeof SelectField>, 'id' | 'name' | 'label' | 'options' | 'defaultValue'> & {
  readonly currencies: readonly string[]
  readonly current: string
}

/** The choice among the currencies of some prices, named in the page's language. */
export function CurrencyField({ currencies, current, ...select }: Props) {
  const { locale } = useTollgateContext()
  const texts = useMessages('prices')
  return (
    <SelectField
      {...select}
      // The answer may bring another currency than the one on display, as a new country does.
      key={current}
      id="currency"
      name="currency"
      label={texts.currency}
      defaultValue={current}
      options={currencyOptions(currencies, locale)}
      suppressHydrationWarning
    />
  )
}

/** Currencies by code and name: "EUR · Euro". */
export function currencyOptions(currencies: readonly string[], locale: string): (readonly [string, string])[] {
  const names = new Intl.DisplayNames(locale, { type: 'currency', fallback: 'none' })
  return currencies.map((currency) => {
    const code = currency.toUpperCase()
    const name = names.of(code)
    return [currency, name === undefined ? code : `${code} · ${name}`]
  })
}
