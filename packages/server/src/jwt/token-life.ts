import { authCalls } from '@tollgate/contract/calls'

const unitsOfTime = { s: 1, m: 60, h: 3600, d: 86_400 } as const

/** Life of a token in seconds, of a text such as `15m`. */
export function tokenSeconds(expirationTime: string): number {
  const unit = expirationTime.slice(-1) as keyof typeof unitsOfTime // the configuration allows no other
  return Number(expirationTime.slice(0, -1)) * unitsOfTime[unit]
}

/** Seconds for which a verifier may know no other keys than it has read: as long it takes until a new key is known. */
export const keysKeptFor = authCalls.getJwks.publicFor
