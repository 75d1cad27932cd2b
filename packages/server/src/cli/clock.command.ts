import { addDuration } from '../clock.ts'
import { saveClockOffset } from '../dev/dev.repository.ts'
import { type Command, readOptions, UsageError } from './command.ts'
import { loadConfig } from './load-config.ts'
import { withContext } from './with-context.ts'

export const clockAdvance: Command = {
  name: 'clock advance',
  usage: 'DURATION [--json]',
  summary: 'Moves the clock of a development server ahead (P1M, P14D, PT1H) and runs what has become due.',
  run: async (words) => {
    const { values, positionals } = readOptions(words, { json: { type: 'boolean' } }, 1)
    const [duration] = positionals
    const config = await loadConfig()
    if (!duration) throw new UsageError('Name a duration, such as P1M or PT1H')
    if (config.mode !== 'development') throw new UsageError('Only the clock of development mode moves')

    const now = (await advanceServer(config.baseURL, duration)) ?? (await advanceStored(duration))
    if (!now) throw new UsageError(`'${duration}' is not an ISO 8601 duration that leads forward, such as P1M or PT1H`)
    console.log(values.json ? JSON.stringify({ now }) : `The clock stands at ${now}.`)
    return 0
  },
}

/** Asks the server that runs; undefined when none does. */
async function advanceServer(baseURL: URL, duration: string): Promise<string | null | undefined> {
  let answer: Response
  try {
    answer = await fetch(new URL('/dev/clock', baseURL), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advance: duration }),
    })
  } catch {
    return undefined // nobody listens there
  }
  if (!answer.ok) return null
  return ((await answer.json()) as { now: string }).now
}

/** Without a server: it starts at the new time, and runs what is due then. */
async function advanceStored(duration: string): Promise<string | null> {
  return withContext(async (ctx) => {
    const from = ctx.clock.now()
    const to = addDuration(from, duration)
    if (!to || to <= from || !ctx.clock.advance(to.getTime() - from.getTime())) return null
    await ctx.transaction((tx) => saveClockOffset(tx, ctx.clock.offset(), ctx.clock.now()))
    return ctx.clock.now().toISOString()
  })
}
