/** Minimum number of digits. */
const places = 6

/** The number `ACME-000123` of an organization's n-th order (ORD-7). */
export const invoiceNumber = (prefix: string, count: number): string =>
  `${prefix}-${String(count).padStart(places, '0')}`

/** The receipt's number, `ACME-000123-R`. */
export const receiptNumber = (number: string): string => `${number}-R`
