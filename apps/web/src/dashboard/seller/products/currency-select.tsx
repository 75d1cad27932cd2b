import { NativeSelect } from '@mantine/core'
import { currencyCodes } from '@tollgate/contract/billing'
import type { ReactNode } from 'react'
import { language } from '../../language.ts'
import { productWords } from './products.texts.ts'

/** The currencies that most sell in come first. */
const common = ['usd', 'eur', 'gbp', 'chf', 'cad', 'aud', 'jpy', 'pln', 'sek', 'nok', 'dkk', 'inr', 'brl', 'mxn']
const others = currencyCodes.filter((code) => !common.includes(code))
const names = new Intl.DisplayNames(language, { type: 'currency' })
const option = (code: string) => ({
  value: code,
  label: `${code.toUpperCase()} · ${names.of(code.toUpperCase()) ?? ''}`,
})
export const currencyOptions = [...common, ...others].map(option)

type Props = {
  value: string
  onChange: (currency: string) => void
  disabled?: boolean
  description?: string
  error?: ReactNode
}

export const CurrencySelect = ({ value, onChange, disabled = false, description, error }: Props) => (
  <NativeSelect
    label={productWords.currency}
    description={description}
    data={currencyOptions}
    value={value}
    disabled={disabled}
    error={error}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
)
