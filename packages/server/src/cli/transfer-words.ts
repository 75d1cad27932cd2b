import type { Config } from '../foundation/config/config.ts'
import { type Counts, TransferRefused, totalOf } from '../foundation/db/transfer/format.ts'
import type { Progress } from './progress.ts'

/** Runs a command's work. A refusal prints its text and gives exit status 1. */
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

/** Reminds the operator of the uploaded files, which an export does not contain. */
export const aboutFiles = ({ billing }: Config): string[] =>
  billing === false
    ? []
    : [`Uploaded files are not included: copy billing.files.directory (here ${billing.files.directory}) separately.`]

/** The number of rows as text. */
export const sizeOf = (counts: Counts): string =>
  `${number(totalOf(counts))} rows of ${Object.values(counts).filter((count) => count > 0).length} tables`

/** Shows the current table in the progress line. */
export const tellRows =
  (progress: Progress) =>
  (table: string, rows: number): void =>
    progress.tell(`${table}: ${number(rows)}`)

const number = (count: number): string => count.toLocaleString('en')
