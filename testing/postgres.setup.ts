import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'
import './provided.ts'

/** One PostgreSQL for the whole project; each test server takes a database of its own in it. */
export default async function setUpPostgres(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres()
  project.provide('postgresUrl', postgres.url)
  return postgres.stop
}
