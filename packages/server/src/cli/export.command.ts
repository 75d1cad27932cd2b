import { systemClock } from '../foundation/clock.ts'
import type { Config } from '../foundation/config/config.ts'
import { shownAddress } from '../foundation/config/shown-address.ts'
import type { Counts } from '../foundation/db/transfer/format.ts'
import { readAll } from '../foundation/db/transfer/read-all.ts'
import { secretMarksOf } from '../foundation/db/transfer/secret-marks.ts'
import { type Command, readOptions, UsageError } from './command.ts'
import { makeExportFile } from './export-file.ts'
import { loadConfig } from './load-config.ts'
import { aboutFiles, sizeOf, transferring, unlessRefused } from './transferring.ts'

export const exportCommand: Command = {
  name: 'export',
  usage: 'FILE [--json]',
  summary:
    'Exports a snapshot of the whole database to a new file, for tollgate import into either database. The server may keep running.',
  run: async (words) => {
    const { values, positionals } = readOptions(words, { json: { type: 'boolean' } }, 1)
    const [file] = positionals
    if (!file) throw new UsageError('The file to write is required')
    const config = await loadConfig()
    return unlessRefused(async () => {
      const rows = await exportTo(file, config)
      if (values.json) console.log(JSON.stringify({ file, rows }))
      else for (const line of toLines(file, config, rows)) console.log(line)
    })
  },
}

const exportTo = (file: string, config: Config): Promise<Counts> =>
  transferring(config, (database, progress) => {
    const secretMarks = secretMarksOf([config.secret, ...config.previousSecrets])
    return makeExportFile(file, (write) => readAll(database, { now: systemClock.now(), secretMarks, write, progress }))
  })

const toLines = (file: string, config: Config, rows: Counts): string[] => [
  `Exported ${sizeOf(rows)} from ${shownAddress(config.databaseUrl)} to ${file}.`,
  'It contains personal data and credentials: protect it like the database. The target needs the same SECRET.',
  ...aboutFiles(config),
]
