import type { Config } from '../foundation/config/config.ts'
import { type Database, openDatabase } from '../foundation/db/database.ts'
import { type Counts, TransferRefused, totalOf } from '../foundation/db/transfer/format.ts'

type Transfer = (database: Database, progress: (table: string, rows: number) => void) => Promise<Counts>

/** Runs a transfer on the configured database, and shows its current table and row. */
export async function transferring({ databaseUrl }: Config, transfer: Transfer): Promise<Counts> {
  const database = openDatabase(databaseUrl)
  const progress = showProgress()
  try {
    return await transfer(database, (table, rows) => progress.tell(`${table}: ${number(rows)}`))
  } finally {
    progress.end()
    await database.close()
  }
}

/** Returns to the beginning of the line and clears it. */
const clear = '\r\u001b[K'

/** Shows the progress of long work on one overwritten line of a terminal; elsewhere nothing. */
export function showProgress(terminal: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr) {
  const write = (text: string) => void (terminal.isTTY && terminal.write(text))
  return { tell: (text: string) => write(clear + text), end: () => write(clear) }
}

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

const number = (count: number): string => count.toLocaleString('en')
