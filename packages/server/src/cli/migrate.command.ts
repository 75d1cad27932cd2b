import { systemClock } from '../clock.ts'
import { migrate, pendingMigrations } from '../db/migrate.ts'
import { openReachableDatabase } from '../server.ts'
import { type Command, readOptions } from './command.ts'
import { loadConfig } from './load-config.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  usage: '[--plan] [--json]',
  summary: 'Brings the database up to date; --plan only lists what would be run.',
  run: async (words) => {
    const { values } = readOptions(words, { plan: { type: 'boolean' }, json: { type: 'boolean' } })
    const database = await openReachableDatabase((await loadConfig()).databaseUrl)
    try {
      const names = values.plan ? await pendingMigrations(database) : await migrate(database, systemClock.now())
      if (values.json) console.log(JSON.stringify(values.plan ? { pending: names } : { applied: names }))
      else if (names.length === 0) console.log('The database is up to date.')
      else console.log(`${values.plan ? 'Would run' : 'Ran'}:\n${names.map((name) => `  ${name}`).join('\n')}`)
      return 0
    } finally {
      await database.close()
    }
  },
}
