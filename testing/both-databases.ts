import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** What makes the database count, by a file's place and name. */
const places = [
  /\/foundation\/db\//, // the drivers, their dialects and the migrations
  /\/foundation\/jobs?[^/]*\.test\.ts$/, // leases and slots, which processes share
  /\/(migrate|transfer|races|lock-order|property|history)\.test\.ts$/, // moves between databases, locks, and long stories
]

/** What makes the database count, by a file's text. */
const texts = [
  /\bPromise\.(all|allSettled)\(/, // calls at the same time: races, locks and limits
  /\bfrom '[^']*(\.repository\.ts|kysely)'/, // SQL without a service around it
]

/** Whether a test file of the server runs on PostgreSQL in every run, and not only with `--all`. */
export function needsBothDatabases(file: string, text: string): boolean {
  return places.some((place) => place.test(file)) || texts.some((each) => each.test(text))
}

/** The server's test files that run on both databases in every run; paths from the root. */
export function testsOnBothDatabases(root: string): string[] {
  const folder = 'packages/server/src'
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter(
      (file) => file.endsWith('.test.ts') && needsBothDatabases(file, readFileSync(path.join(root, file), 'utf8')),
    )
    .sort()
}
