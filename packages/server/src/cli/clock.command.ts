import { saveClockOffset } from '../features/dev/dev.repository.ts'
import { addDuration } from '../foundation/clock.ts'
import { membersOf } from '../foundation/proof/proven.ts'
import { type Command, readOptions, UsageError } from './command.ts'
import { loadConfig } from './load-config.ts'
import { withContext } from './with-context.ts'

export const clockAdvance: Command = {
  name: 'clock advance',
  usage: 'DURATION [--json]',
  summary: 'Advances the clock of a development server (P1M, P14D, PT1H) and runs due jobs.',
  run: async (words) => {
    const { values, positionals } = readOptions(words, { json: { type: 'boolean' } }, 1)
    const [duration] = positionals
    const config = await loadConfig()
    if (!duration) throw new UsageError('A duration is required, such as P1M or PT1H')
    if (config.mode !== 'development') throw new UsageError('The clock can be advanced in development mode only')

    const now = (await advanceServer(config.baseURL, duration)) ?? (await advanceStored(duration))
    if (!now) throw new UsageError(`'${duration}' is not a positive ISO 8601 duration, such as P1M or PT1H`)
    console.log(values.json ? JSON.stringify({ now }) : `The clock is now at ${now}.`)
  },
}

/** Asks the running server; undefined without one. */
async function advanceServer(baseURL: URL, duration: string): Promise<string | null | undefined> {
  let answer: Response
  try {
    answer = await fetch(new URL('/dev/clock', baseURL), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advance: duration }),
    })
  } catch {
    return undefined // no server listens there
  }
  if (!answer.ok) return null
  return String(membersOf(await answer.json()).now)
}

/** Without a server: the next one starts at the new time and runs the jobs due then. */
async function advanceStored(duration: string): Promise<string | null> {
  return withContext(async (ctx) => {
    const from = ctx.clock.now()
    const to = addDuration(from, duration)
    if (!to || to <= from || !ctx.clock.advance(to.getTime() - from.getTime())) return null
    await ctx.transaction((tx) => saveClockOffset(tx, ctx.clock.offset(), ctx.clock.now()))
    return ctx.clock.now().toISOString()
  })
}
