import { authCalls } from '@tollgate/contract/calls'

const unitsOfTime = { s: 1, m: 60, h: 3600, d: 86_400 } as const

/** A token's life in seconds, from a text such as `15m`. */
export function tokenSeconds(expirationTime: string): number {
  const unit = expirationTime.slice(-1) as keyof typeof unitsOfTime // the configuration allows no other
  return Number(expirationTime.slice(0, -1)) * unitsOfTime[unit]
}

/** Seconds for which verifiers may cache the public keys, and so may not know a new one. */
export const keysKeptFor = authCalls.getJwks.publicFor
