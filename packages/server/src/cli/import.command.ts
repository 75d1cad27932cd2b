import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { openDatabase } from '../db/database.ts'
import { type Counts, type Head, TransferRefused } from '../db/transfer/format.ts'
import { knowsSecrets } from '../db/transfer/secret-marks.ts'
import { writeAll } from '../db/transfer/write-all.ts'
import { shownAddress } from '../shown-address.ts'
import { type Command, readOptions, UsageError } from './command.ts'
import { openImportFile } from './import-file.ts'
import { loadConfig } from './load-config.ts'
import { showProgress } from './progress.ts'
import { aboutFiles, sizeOf, tellRows, unlessRefused } from './transfer-words.ts'

const options = { 'other-secret': { type: 'boolean' }, json: { type: 'boolean' } } as const

export const importCommand: Command = {
  name: 'import',
  usage: 'FILE [--other-secret] [--json]',
  summary:
    'Reads a file of tollgate export into the configured database, which has to be new: all of it or nothing. --other-secret also where SECRET is not the one that the file was made with.',
  run: async (words) => {
    const { values, positionals } = readOptions(words, options, 1)
    const [file] = positionals
    if (!file) throw new UsageError('Name the file to read')
    const config = await loadConfig()
    return unlessRefused(async () => {
      const rows = await importFrom(file, config, values['other-secret'] === true)
      if (values.json) console.log(JSON.stringify({ file, rows }))
      else for (const line of toLines(file, config, rows)) console.log(line)
    })
  },
}

/** The file is looked at first: one that is refused has not even made a database. */
async function importFrom(file: string, config: Config, mayHaveOtherSecret: boolean): Promise<Counts> {
  await using opened = await openImportFile(file)
  const { head, lines } = opened
  warnOfOtherSecret(head, config, mayHaveOtherSecret)
  const database = openDatabase(config.databaseUrl)
  const progress = showProgress()
  try {
    return await writeAll(database, { head, lines, now: systemClock.now(), progress: tellRows(progress) })
  } finally {
    progress.end()
    await database.close()
  }
}

function warnOfOtherSecret({ secretMarks }: Head, config: Config, mayBeOther: boolean): void {
  if (knowsSecrets(secretMarks, [config.secret, ...config.previousSecrets])) return
  const what =
    'The file was made with another SECRET than this one (or has one more in SECRET_PREVIOUS). With this one everybody is ' +
    'signed out, and what was sealed cannot be read any more: kept payment methods, webhook secrets, signing keys, mails that wait.'
  if (mayBeOther) console.error(what)
  else
    throw new TransferRefused(
      `${what} Set the SECRET of where it comes from; where that is lost, --other-secret imports the rest. Nothing was imported.`,
    )
}

const toLines = (file: string, config: Config, rows: Counts): string[] => [
  `Imported ${sizeOf(rows)} from ${file} into ${shownAddress(config.databaseUrl)}.`,
  ...aboutFiles(config),
]
