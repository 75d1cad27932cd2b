import { after, hours } from '../../clock.ts'
import { toJson } from '../../db/tables.ts'
import type { EndpointRow } from './webhook-endpoint.repository.ts'

/** How long the secret before still signs (WH-12). */
const overlap = hours(24)
/** As many secrets sign beside an endpoint's own: each adds two signatures to everything that is sent. */
export const mostEarlier = 3

/** A secret that an endpoint had before, sealed, and until when it signs. */
export type EarlierSecret = { readonly sealedSecret: string; readonly expiresAt: Date }

/** How the column holds those before the last one. */
type Kept = { readonly sealedSecret: string; readonly expiresAt: string }

type Columns = Pick<EndpointRow, 'sealedPreviousSecret' | 'previousSecretExpiresAt' | 'earlierSecrets'>

/** The secrets that an endpoint had before and that still sign, the youngest first. */
export function earlierSecretsOf(
  { sealedPreviousSecret: sealedSecret, previousSecretExpiresAt: expiresAt, earlierSecrets }: Columns,
  now: Date,
): EarlierSecret[] {
  const last = sealedSecret !== null && expiresAt !== null ? [{ sealedSecret, expiresAt }] : []
  const kept = ((earlierSecrets ?? []) as Kept[]).map((each) => ({ ...each, expiresAt: new Date(each.expiresAt) })) // written below
  return [...last, ...kept].filter((each) => each.expiresAt > now)
}

/** What an endpoint keeps of its secret when it gets another: for a day it signs, and those before it until their own ends. */
export const withOneMore = (row: Columns & Pick<EndpointRow, 'sealedSecret'>, now: Date) => ({
  sealedPreviousSecret: row.sealedSecret,
  previousSecretExpiresAt: after(now, overlap),
  earlierSecrets: toJson(earlierSecretsOf(row, now)),
})
