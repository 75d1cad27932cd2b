import { openReachableDatabase } from '../app/context.ts'
import { type MissedSummary, missedSummary } from '../features/billing/renewals/missed-periods.service.ts'
import { systemClock } from '../foundation/clock.ts'
import type { Database } from '../foundation/db/database.ts'
import { migrate, pendingMigrations } from '../foundation/db/migrate.ts'
import { moneyText } from '../foundation/money-text.ts'
import { type Command, readOptions } from './command.ts'
import { loadConfig } from './load-config.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  usage: '[--plan] [--json]',
  summary: 'Migrates the database; --plan lists the pending migrations, and what subscriptions have missed.',
  run: async (words) => {
    const { values } = readOptions(words, { plan: { type: 'boolean' }, json: { type: 'boolean' } })
    const database = await openReachableDatabase((await loadConfig()).databaseUrl)
    try {
      const names = values.plan ? await pendingMigrations(database) : await migrate(database, systemClock.now())
      const missed = values.plan ? await missedPeriodsIn(database, names) : undefined
      if (values.json) console.log(JSON.stringify(values.plan ? { pending: names, missed } : { applied: names }))
      else if (names.length === 0) console.log('The database is up to date.')
      else console.log(`${values.plan ? 'Pending' : 'Applied'}:\n${names.map((name) => `  ${name}`).join('\n')}`)
      if (missed && !values.json) for (const line of missedLines(missed)) console.log(line)
    } finally {
      await database.close()
    }
  },
}

/** The migration since which subscriptions renew. */
const sinceRenewals = '0016-billing-engine'
const sinceBilling = '0005-billing'

/** What subscriptions have missed; undefined where there are none. The migration itself decides and bills nothing. */
async function missedPeriodsIn(database: Database, pending: readonly string[]): Promise<MissedSummary | undefined> {
  if (pending.includes(sinceBilling)) return undefined
  const schema = pending.includes(sinceRenewals) ? 'former' : 'migrated'
  const missed = await missedSummary(database.db, systemClock.now(), undefined, schema)
  return missed.subscriptionsCount === 0 ? undefined : missed
}

function missedLines({ subscriptionsCount, ordersCount, amounts }: MissedSummary): string[] {
  const charged = amounts.map(({ currency, amount }) => moneyText(amount, currency, 'en')).join(', ') || 'nothing'
  return [
    '',
    `${subscriptionsCount} subscriptions began before this version could renew them. The migration bills none of them.`,
    'Each seller chooses on the page Subscriptions of their dashboard:',
    '  start again   bills no missed period; nothing renews until the seller chooses',
    `  bill missed   charges ${ordersCount} missed periods: ${charged} before tax`,
  ]
}
