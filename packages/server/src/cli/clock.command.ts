import { moveClock } from '../features/dev/move-clock.ts'
import { addDuration } from '../foundation/clock.ts'
import { membersOf } from '../foundation/proof/proven.ts'
import { type Command, readOptions, UsageError } from './command.ts'
import { loadConfig } from './load-config.ts'
import { withContext } from './with-context.ts'

/** Milliseconds between two lines about a clock that stops at many due moments on its way. */
const reportPeriod = 2000

export const clockAdvance: Command = {
  name: 'clock advance',
  usage: 'DURATION [--json]',
  summary: 'Advances the clock of a development server (P1M, P14D, PT1H), stopping at each due moment on its way.',
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

/** Asks the running server, and reports how far its clock is; undefined without a server. */
async function advanceServer(baseURL: URL, duration: string): Promise<string | null | undefined> {
  const clock = new URL('/dev/clock', baseURL)
  if (!(await answers(clock))) return undefined
  const report = setInterval(async () => {
    const now = await timeOf(clock)
    if (now !== undefined) console.error(`The clock is at ${now}.`)
  }, reportPeriod)
  try {
    const answer = await fetch(clock, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advance: duration }),
    })
    return answer.ok ? String(membersOf(await answer.json()).now) : null
  } finally {
    clearInterval(report)
  }
}

/** Whether a server listens there. */
const answers = async (clock: URL): Promise<boolean> => (await timeOf(clock)) !== undefined

async function timeOf(clock: URL): Promise<string | undefined> {
  try {
    return String(membersOf(await (await fetch(clock)).json()).now)
  } catch {
    return undefined
  }
}

/** Without a server, this process runs the jobs that fall due. */
const advanceStored = (duration: string): Promise<string | null> =>
  withContext(
    async (ctx) => {
      const from = ctx.clock.now()
      const to = addDuration(from, duration)
      if (!to || to <= from || !(await moveClock(ctx, to))) return null
      return ctx.clock.now().toISOString()
    },
    { jobs: true },
  )
