import type { Config } from '../config.ts'
import { type Counts, TransferRefused, totalOf } from '../db/transfer/format.ts'
import type { Progress } from './progress.ts'

/** Does the work of a command; its exit status is 1 where it was refused, which is told in a sentence. */
export async function unlessRefused(work: () => Promise<void>): Promise<number> {
  try {
    await work()
    return 0
  } catch (error) {
    if (!(error instanceof TransferRefused)) throw error
    console.error(error.message)
    return 1
  }
}

/** What is no part of an export, and belongs to it. */
export const aboutFiles = ({ billing }: Config): string[] =>
  billing === false
    ? []
    : [`Uploaded files are not in it: copy ${billing.files.directory} to where billing.files.directory is set to.`]

/** How many rows there were, for people. */
export const sizeOf = (counts: Counts): string =>
  `${number(totalOf(counts))} rows of ${Object.values(counts).filter((count) => count > 0).length} tables`

/** Tells a terminal which table work has come to. */
export const tellRows =
  (progress: Progress) =>
  (table: string, rows: number): void =>
    progress.tell(`${table}: ${number(rows)}`)

const number = (count: number): string => count.toLocaleString('en')
