import { after, hours } from '../../../foundation/clock.ts'
import type { EndpointRow } from './webhook-endpoint.repository.ts'

/** How long the previous secret still signs (WH-12). */
const overlap = hours(24)
/** The most earlier secrets that sign beside the current one: each adds two signatures to every request. */
export const mostEarlier = 3

/** An earlier secret of an endpoint, sealed, with its expiry. */
export type EarlierSecret = { readonly sealedSecret: string; readonly expiresAt: Date }

type Columns = Pick<EndpointRow, 'sealedPreviousSecret' | 'previousSecretExpiresAt' | 'earlierSecrets'>

/** The earlier secrets of an endpoint that still sign, newest first. */
export function earlierSecretsOf(
  { sealedPreviousSecret: sealedSecret, previousSecretExpiresAt: expiresAt, earlierSecrets }: Columns,
  now: Date,
): EarlierSecret[] {
  const last = sealedSecret !== null && expiresAt !== null ? [{ sealedSecret, expiresAt }] : []
  const kept = (earlierSecrets ?? []).map((each) => ({ ...each, expiresAt: new Date(each.expiresAt) }))
  return [...last, ...kept].filter((each) => each.expiresAt > now)
}

/** The earlier secrets after a rotation: the current one signs for another day, and older ones until they expire. */
export const withOneMore = (row: Columns & Pick<EndpointRow, 'sealedSecret'>, now: Date) => ({
  sealedPreviousSecret: row.sealedSecret,
  previousSecretExpiresAt: after(now, overlap),
  earlierSecrets: earlierSecretsOf(row, now).map((each) => ({ ...each, expiresAt: each.expiresAt.toISOString() })),
})
