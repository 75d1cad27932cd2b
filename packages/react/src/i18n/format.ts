import type { ReactNode } from 'react'

/** One text for each plural form that the language has. `{count}` chooses among them. */
export type Plural = { readonly [Rule in Intl.LDMLPluralRule]?: string } & { readonly other: string }

/** A text with `{name}` placeholders, or one text for each plural form. */
export type Message = string | Plural

export type Values = Readonly<Record<string, string | number>>

/** Chooses the plural form and fills the placeholders in; numbers are written as the language writes them. */
export function format(message: Message, locale: string, values: Values = {}): string {
  return parts(message, locale, values).join('')
}

/** The same with elements as values: text and elements in the order of the message. */
export function formatRich(
  message: Message,
  locale: string,
  values: Readonly<Record<string, ReactNode>> = {},
): readonly ReactNode[] {
  return parts(message, locale, values)
}

function parts<Value>(message: Message, locale: string, values: Readonly<Record<string, Value>>) {
  const write = (value: Value) => (typeof value === 'number' ? new Intl.NumberFormat(locale).format(value) : value)
  const text =
    typeof message === 'string'
      ? message
      : (message[new Intl.PluralRules(locale).select(Number(values.count))] ?? message.other)
  // Every second part is a placeholder's name, because the pattern has one group.
  return text
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 0 ? part : part in values ? write(values[part]!) : `{${part}}`))
}
