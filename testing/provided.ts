import type {} from 'vitest'

/** What the test projects hand to their tests: `inject('database')` and so on. */
declare module 'vitest' {
  interface ProvidedContext {
    /** Which of the two databases the tests of this project run on. */
    database: 'sqlite' | 'postgres'
    /** The address to give to `createDatabase` of `testing/postgres.ts`; in the project `postgres` only. */
    postgresUrl: string
  }
}
