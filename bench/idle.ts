import { setTimeout as wait } from 'node:timers/promises'
import { onEachDatabase, report, startTollgate } from './each-database.ts'

/*
 * The cost of an idle server: the loop that looks for jobs, on each database. It uses the process's own CPU time, so
 * that other programs do not matter. `node bench/idle.ts`, in about a minute.
 */

/** Until the work that a start leaves is done, and then as long as is measured. */
const settling = 5000
const measured = 20_000
/** Of one core, as the bar has it. */
const bar = 0.01

await onEachDatabase(measure)

async function measure(name: string, databaseUrl: string): Promise<void> {
  const tollgate = await startTollgate(databaseUrl)
  await wait(settling)
  const before = process.cpuUsage()
  const start = performance.now()
  await wait(measured)
  const { user, system } = process.cpuUsage(before)
  const share = (user + system) / 1000 / (performance.now() - start)
  await tollgate.close()
  report(name, `${(share * 100).toFixed(2)} % of a core`, `at most ${bar * 100} %`, share <= bar)
}
