import { randomInt } from 'node:crypto'

/**
 * Where servers are killed. A server is started for each kill, so that a run tries only some of the statements: those that a
 * number decides, which is another one in each run and stands in the names of the tests. KILL_SEED gives the number of a run
 * that failed, and KILL_ROUNDS tries so many times as many points and moments. Without `--all`, long stories have half as
 * many: a call of few statements needs every second one.
 */
const seed = Number(process.env.KILL_SEED ?? randomInt(1000))
const rounds = Number(process.env.KILL_ROUNDS ?? 1)
const isHalved = !process.env.TEST_ALL && process.env.KILL_ROUNDS === undefined

export type KillPoints = {
  /** The number of the first statement, and how far it is from each to the next. */
  readonly first: number
  readonly stride: number
  /** How often a server is killed at a random moment. */
  readonly moments: number
  /** For the name of a test. */
  readonly named: string
  /** What a test may take, in milliseconds. */
  readonly timeout: number
}

/** Between each statement and the next lie at most as many as the stride says; over the runs, each has its turn. */
export function killPoints(usual: { readonly stride: number; readonly moments: number }): KillPoints {
  const isLong = usual.stride > 4
  const share = isHalved && isLong ? 0.5 : rounds
  const stride = Math.max(1, Math.floor(usual.stride / share))
  const first = seed % stride
  return {
    first,
    stride,
    moments: Math.ceil(usual.moments * share),
    timeout: Math.max(1, rounds) * 600_000,
    named: `KILL_SEED=${seed}: from statement ${first} on, in steps of ${stride}`,
  }
}
