import { openReachableDatabase } from '../app/context.ts'
import { systemClock } from '../foundation/clock.ts'
import { migrate, pendingMigrations } from '../foundation/db/migrate.ts'
import { type Command, readOptions } from './command.ts'
import { loadConfig } from './load-config.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  usage: '[--plan] [--json]',
  summary: 'Migrates the database; --plan only lists the pending migrations.',
  run: async (words) => {
    const { values } = readOptions(words, { plan: { type: 'boolean' }, json: { type: 'boolean' } })
    const database = await openReachableDatabase((await loadConfig()).databaseUrl)
    try {
      const names = values.plan ? await pendingMigrations(database) : await migrate(database, systemClock.now())
      if (values.json) console.log(JSON.stringify(values.plan ? { pending: names } : { applied: names }))
      else if (names.length === 0) console.log('The database is up to date.')
      else console.log(`${values.plan ? 'Pending' : 'Applied'}:\n${names.map((name) => `  ${name}`).join('\n')}`)
    } finally {
      await database.close()
    }
  },
}
