import type { Db } from '../../../foundation/db/database.ts'
import { listSeries } from '../order/invoice-series.repository.ts'
import { brokenRows, creditNoteNumbers, invoiceNumbers, rowInvariants, type Violation } from './books.repository.ts'

/** The first violations of each invariant are enough to find its cause. */
const mostOfEach = 100

/** Verifies the books of all sellers. An empty list: every invariant holds. */
export async function violationsOfBooks(db: Db): Promise<Violation[]> {
  return [...(await brokenRows(db, mostOfEach)), ...(await faultsOfNumbers(db)).slice(0, mostOfEach)]
}

/** How many invariants are verified: those of rows, and the numbers of invoices and of credit notes. */
export const countOfInvariants = rowInvariants.length + 2

const series = {
  invoice: { invariant: 'Invoice numbers have no gap', numbers: invoiceNumbers },
  credit_note: { invariant: 'Numbers of credit notes have no gap', numbers: creditNoteNumbers },
} as const

/** Numbers of invoices and of credit notes run from one to their count, without a gap and without a double (ORD-7). */
async function faultsOfNumbers(db: Db): Promise<Violation[]> {
  const faults: Violation[] = []
  for (const { organizationId, kind, lastNumber } of await listSeries(db)) {
    const { invariant, numbers } = series[kind]
    const detail = faultOfSeries(lastNumber, await numbers(db, organizationId))
    if (detail) faults.push({ invariant, subject: organizationId, detail })
  }
  return faults
}

function faultOfSeries(count: number, numbers: readonly string[]): string | undefined {
  const counted = new Set(numbers.map(countIn))
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter((number) => !counted.has(number))
  if (missing.length > 0) return `${missing.slice(0, 10).join(', ')} of ${count} are missing`
  return numbers.length === count ? undefined : `${numbers.length} numbers, and ${count} were given`
}

/** The count at the end of a number such as `ACME-CN-000123`. */
const countIn = (number: string): number => Number(/\d+$/.exec(number)?.[0])
