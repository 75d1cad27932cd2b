import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { subscriptionsWords } from './subscriptions.texts.ts'

/** A quantity that a subscription can have; undefined for any other text. */
export function quantityIn(text: string): number | undefined {
  const quantity = Number(text.trim())
  return /^\d+$/.test(text.trim()) && quantity >= 1 && quantity <= 10_000 ? quantity : undefined
}

type Props = { value: string; onChange: (text: string) => void; error: ReactNode }

/** How often a subscription charges its fixed price. */
export function QuantityField({ value, onChange, error }: Props) {
  return (
    <TextInput
      name="quantity"
      label={subscriptionsWords.change.quantity}
      inputMode="numeric"
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
