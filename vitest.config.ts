import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { filesOnBothDatabases } from './testing/both-databases.ts'
import { Sequencer } from './testing/sequencer.ts'

const serverTests = 'packages/server/src/**/*.test.ts'
// One more than there are cores: some tests wait for a process or a database that they have stopped.
const maxWorkers = Math.max(1, Math.min(4, availableParallelism() + 1))

/** What no database has a part in, and what starts databases of its own, runs once. */
const withoutDatabase = [
  'foundation/clock',
  'foundation/config/config',
  'foundation/dns',
  'foundation/ids',
  'foundation/log',
  'app/node',
  'foundation/csv',
  'foundation/token',
  'cli/cli',
  // Recorded answers: members of stored JSON come in another order from PostgreSQL.
  'cli/demo-shop-golden',
  'features/billing/checkout/carts',
  'foundation/db/lists',
  'features/billing/money',
  'features/billing/catalog/{custom-field-data,price-rules,files/file-rules}',
  'features/billing/checkout/pricing',
  'features/billing/customer/tax-id',
  'features/billing/discount/discount-rules',
  'features/billing/documents/drawing',
  'features/billing/engine/*',
  // Periods by the calendar: what renews them on PostgreSQL is tested beside.
  'features/billing/subscriptions/calendar',
  // PostgreSQL runs the jobs of one moment at the same time, so that what they leave has no order among itself.
  'features/billing/subscriptions/fourteen-months',
  'foundation/mail/*',
  'foundation/http/{cookies,cors,openapi,origin,request-limits}',
  'pages/fixtures',
  'features/social/{id-token,providers,providers.flow}',
].map((name) => `packages/server/src/${name}.test.ts`)

/** Files share what their worker has loaded: loading it anew takes longer than the tests of most files. */
const sharing = { isolate: false } as const

/** Server tests run twice: the two projects differ in nothing but the database. */
const server = (database: 'sqlite' | 'postgres') => ({
  extends: true as const,
  test: {
    ...sharing,
    name: database,
    include: [serverTests],
    provide: { database },
    env: { TEST_DATABASE: database },
    setupFiles: [`testing/${database}-databases.setup.ts`],
  },
})

export default defineConfig({
  test: {
    environment: 'node',
    pool: 'forks',
    maxWorkers,
    // For what hangs: on a busy machine, what starts processes may take many times as long as it usually does.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000 } },
    sequence: { sequencer: Sequencer },
    projects: [
      {
        extends: true,
        test: {
          ...sharing,
          name: 'unit',
          include: [
            'packages/{contract,client,documents-fonts,react}/src/**/*.test.{ts,tsx}',
            'apps/web/src/**/*.test.{ts,tsx}',
            'scripts/**/*.test.ts',
            'testing/{both-databases,free-port,postgres}.test.ts',
          ],
        },
      },
      server('sqlite'),
      {
        ...server('postgres'),
        test: {
          ...server('postgres').test,
          // `npm test -- --all` sets it: the whole matrix, as on CI.
          ...(!process.env.TEST_ALL && { include: filesOnBothDatabases(import.meta.dirname) }),
          exclude: withoutDatabase,
          globalSetup: ['testing/postgres.setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          ...sharing,
          // Real servers in processes of their own, real client libraries, real faults; no browser.
          name: 'compat',
          include: ['e2e/{compat,dev,faults,packed}/**/*.test.ts'],
          // The same kills on PostgreSQL are for the whole matrix.
          ...(!process.env.TEST_ALL && { exclude: ['e2e/faults/*-postgres.test.ts', '**/node_modules/**'] }),
          provide: { database: 'sqlite' as const },
          env: { TEST_DATABASE: 'sqlite' },
        },
      },
      {
        extends: true,
        test: {
          ...sharing,
          name: 'e2e',
          include: ['e2e/**/*.test.ts', 'testing/chromium.test.ts'],
          exclude: ['e2e/{compat,dev,faults,packed}/**', '**/node_modules/**'],
          provide: { database: 'sqlite' as const },
          env: { TEST_DATABASE: 'sqlite' },
          globalSetup: ['testing/chromium.setup.ts'],
          // They run when all else is done: each worker drives a browser of several processes.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
