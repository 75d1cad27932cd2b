import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { openDatabase } from '../db/database.ts'
import type { Counts } from '../db/transfer/format.ts'
import { readAll } from '../db/transfer/read-all.ts'
import { secretMarksOf } from '../db/transfer/secret-marks.ts'
import { shownAddress } from '../shown-address.ts'
import { type Command, readOptions, UsageError } from './command.ts'
import { makeExportFile } from './export-file.ts'
import { loadConfig } from './load-config.ts'
import { showProgress } from './progress.ts'
import { aboutFiles, sizeOf, tellRows, unlessRefused } from './transfer-words.ts'

export const exportCommand: Command = {
  name: 'export',
  usage: 'FILE [--json]',
  summary:
    'Writes the whole database as it is at one moment into a new file, which tollgate import reads into either database; a server may run meanwhile.',
  run: async (words) => {
    const { values, positionals } = readOptions(words, { json: { type: 'boolean' } }, 1)
    const [file] = positionals
    if (!file) throw new UsageError('Name the file to write')
    const config = await loadConfig()
    return unlessRefused(async () => {
      const rows = await exportTo(file, config)
      if (values.json) console.log(JSON.stringify({ file, rows }))
      else for (const line of toLines(file, config, rows)) console.log(line)
    })
  },
}

async function exportTo(file: string, config: Config): Promise<Counts> {
  const database = openDatabase(config.databaseUrl)
  const progress = showProgress()
  try {
    return await makeExportFile(file, (write) =>
      readAll(database, {
        now: systemClock.now(),
        secretMarks: secretMarksOf([config.secret, ...config.previousSecrets]),
        write,
        progress: tellRows(progress),
      }),
    )
  } finally {
    progress.end()
    await database.close()
  }
}

const toLines = (file: string, config: Config, rows: Counts): string[] => [
  `Exported ${sizeOf(rows)} from ${shownAddress(config.databaseUrl)} to ${file}.`,
  'It holds all people and what proves who they are: keep it as you keep the database. It wants the same SECRET where it goes.',
  ...aboutFiles(config),
]
