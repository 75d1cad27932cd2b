import { createTollgate } from '../app/server.ts'
import type { Context } from '../foundation/context.ts'
import { developmentSecret, loadConfigFile } from './load-config.ts'

/**
 * Runs a command on the configured database, without serving. It takes no jobs from a running server, unless the
 * command asks for jobs.
 */
export async function withContext<T>(work: (ctx: Context) => Promise<T>, { jobs = false } = {}): Promise<T> {
  const env = { ...process.env, LOG_LEVEL: process.env.LOG_LEVEL || 'warn' }
  const tollgate = await createTollgate(await loadConfigFile(), { developmentSecret, jobs, env })
  try {
    return await work(tollgate.internals.ctx)
  } finally {
    await tollgate.close()
  }
}
