import { proven } from './proof/proven.ts'

/**
 * Fills the placeholders of a text, such as `{name}`. One pass, so that a placeholder inside a name is not filled. Throws
 * if a value is missing.
 */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => proven(values[name], `{${name}} has a value`))

/** A day in the language's format, in UTC. */
export const dayText = (time: string, locale: string): string => daysIn(locale).format(new Date(time))

/** Making a format costs a hundred times its use; there are few languages. */
const dayFormats = new Map<string, Intl.DateTimeFormat>()
const mostFormats = 100

function daysIn(locale: string): Intl.DateTimeFormat {
  const format = dayFormats.get(locale) ?? new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  if (dayFormats.size < mostFormats) dayFormats.set(locale, format)
  return format
}
