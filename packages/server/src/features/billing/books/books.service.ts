import type { Db } from '../../../foundation/db/database.ts'
import { findLastNumber, listSeries } from '../order/invoice-series.repository.ts'
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
    const found = await numbers(db, organizationId)
    // A running server gives numbers between these two reads.
    const later = found.length > lastNumber ? await findLastNumber(db, organizationId, kind) : lastNumber
    const detail = faultOfSeries({ first: lastNumber, later }, found)
    if (detail) faults.push({ invariant, subject: organizationId, detail })
  }
  return faults
}

/**
 * What is wrong with the numbers of a series, which were read between two reads of the last one given: all up to the
 * first are there, and none beyond the later one.
 */
export function faultOfSeries(
  last: { readonly first: number; readonly later: number },
  numbers: readonly string[],
): string | undefined {
  const counts = numbers.map(countIn)
  const counted = new Set(counts)
  const missing = Array.from({ length: last.first }, (_, at) => at + 1).filter((number) => !counted.has(number))
  if (missing.length > 0) return `${missing.slice(0, 10).join(', ')} of ${last.first} are missing`
  const isGiven = counts.every((count) => count >= 1 && count <= last.later)
  return isGiven && counted.size === numbers.length
    ? undefined
    : `${numbers.length} numbers, and ${last.later} were given`
}

/** The count at the end of a number such as `ACME-CN-000123`. */
const countIn = (number: string): number => Number(/\d+$/.exec(number)?.[0])
