/**
 * The label of an order's line as the language writes its days. The line of a part of a period names them as 2026-03-31, in
 * orders, which the API answers in one language.
 */
export function lineLabel(label: string, locale: string): string {
  if (!/^(?:Unused|Remaining) time on /.test(label)) return label
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  return label.replace(/\d{4}-\d{2}-\d{2}(?= to \d{4}-\d{2}-\d{2}$|$)/g, (day) => format.format(new Date(day)))
}
