import { TollgateError } from '../../foundation/error.ts'

/** Runs one work at a time, in fair turns: a user's next one follows one of each other user that waits. */
export type Turns = {
  /** Throws TOO_MANY_REQUESTS if too many of the user wait, and SERVICE_UNAVAILABLE if too many of all users do. */
  take<Result>(user: string, work: () => Promise<Result>): Promise<Result>
}

type Most = { readonly ofAll: number; readonly ofOne: number }

/** Seconds after which a refused user may try again. */
const retryAfter = 5

export function createTurns(most: Most): Turns {
  /** The works that wait, by user, in the order of their turns. */
  const waiting = new Map<string, (() => Promise<void>)[]>()
  /** By user, with the one that runs. */
  const counts = new Map<string, number>()
  let isRunning = false

  function next(): (() => Promise<void>) | undefined {
    for (const [user, [first, ...others]] of waiting) {
      waiting.delete(user)
      if (others.length > 0) waiting.set(user, others)
      return first
    }
    return undefined
  }

  async function run(): Promise<void> {
    if (isRunning) return
    isRunning = true
    for (let work = next(); work; work = next()) await work()
    isRunning = false
  }

  const countOf = (user: string) => counts.get(user) ?? 0

  function setCount(user: string, count: number): void {
    if (count > 0) counts.set(user, count)
    else counts.delete(user)
  }

  return {
    take: async <Result>(user: string, work: () => Promise<Result>) => {
      if (countOf(user) >= most.ofOne) throw new TollgateError('TOO_MANY_REQUESTS', { retryAfter })
      const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
      if (all >= most.ofAll) throw new TollgateError('SERVICE_UNAVAILABLE', { retryAfter })
      setCount(user, countOf(user) + 1)
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      const turn = async () => {
        await work().then(resolve, reject)
        setCount(user, countOf(user) - 1)
      }
      waiting.set(user, [...(waiting.get(user) ?? []), turn])
      void run()
      return promise
    },
  }
}
