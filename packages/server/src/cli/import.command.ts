import { systemClock } from '../foundation/clock.ts'
import type { Config } from '../foundation/config/config.ts'
import { shownAddress } from '../foundation/config/shown-address.ts'
import { type Counts, type Head, TransferRefused } from '../foundation/db/transfer/format.ts'
import { knowsSecrets } from '../foundation/db/transfer/secret-marks.ts'
import { writeAll } from '../foundation/db/transfer/write-all.ts'
import { type Command, readOptions, UsageError } from './command.ts'
import { openImportFile } from './import-file.ts'
import { loadConfig } from './load-config.ts'
import { aboutFiles, sizeOf, transferring, unlessRefused } from './transferring.ts'

const options = { 'other-secret': { type: 'boolean' }, json: { type: 'boolean' } } as const

export const importCommand: Command = {
  name: 'import',
  usage: 'FILE [--other-secret] [--json]',
  summary:
    'Imports a file of tollgate export into the configured database, which must be new; all or nothing. --other-secret allows a SECRET other than that of the export.',
  run: async (words) => {
    const { values, positionals } = readOptions(words, options, 1)
    const [file] = positionals
    if (!file) throw new UsageError('The file to read is required')
    const config = await loadConfig()
    return unlessRefused(async () => {
      const rows = await importFrom(file, config, values['other-secret'] === true)
      if (values.json) console.log(JSON.stringify({ file, rows }))
      else for (const line of toLines(file, config, rows)) console.log(line)
    })
  },
}

/** Checks the file first: a refused file does not even create a database. */
async function importFrom(file: string, config: Config, mayHaveOtherSecret: boolean): Promise<Counts> {
  await using opened = await openImportFile(file)
  const { head, lines } = opened
  warnOfOtherSecret(head, config, mayHaveOtherSecret)
  return await transferring(config, (database, progress) =>
    writeAll(database, { head, lines, now: systemClock.now(), progress }),
  )
}

function warnOfOtherSecret({ secretMarks }: Head, config: Config, mayBeOther: boolean): void {
  if (knowsSecrets(secretMarks, [config.secret, ...config.previousSecrets])) return
  const what =
    'The file was made with another SECRET (or with one more in SECRET_PREVIOUS). With the current one all users are signed ' +
    'out, and sealed data cannot be read: webhook secrets, signing keys, waiting mails.'
  if (mayBeOther) console.error(what)
  else
    throw new TransferRefused(
      `${what} Set the SECRET of the source; if it is lost, --other-secret imports the rest. Nothing was imported.`,
    )
}

const toLines = (file: string, config: Config, rows: Counts): string[] => [
  `Imported ${sizeOf(rows)} from ${file} into ${shownAddress(config.databaseUrl)}.`,
  ...aboutFiles(config),
]
