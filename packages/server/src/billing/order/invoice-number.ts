/** Digits at least; a number that has more keeps them. */
const places = 6

/** `ACME-000123`: the number of an organization's n-th order (ORD-7). */
export const invoiceNumber = (prefix: string, count: number): string =>
  `${prefix}-${String(count).padStart(places, '0')}`

/** `ACME-000123-R`: that of its receipt. */
export const receiptNumber = (number: string): string => `${number}-R`
