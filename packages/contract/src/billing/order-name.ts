/** How many digits of an order's id tell the receipts of a seller apart. */
const receiptDigits = 10

/**
 * What people call an order: by its invoice number, `ACME-000123`; without an invoice by the number of its receipt, which
 * follows from its id: `R-4F6B2A9C01`.
 */
export const orderName = ({
  id,
  invoiceNumber,
}: {
  readonly id: string
  readonly invoiceNumber: string | null
}): string => invoiceNumber ?? `R-${id.replaceAll('-', '').slice(0, receiptDigits).toUpperCase()}`
