import { createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import type { Answer } from '@tollgate/contract/types'
import { after, minutes, seconds } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { TollgateError } from '../error.ts'
import { newId, newSigningKeyPair } from '../ids.ts'
import { insertKey, type KeyRow, listPublishedKeys, retireKeys } from './keys.repository.ts'

/** A key as it signs. */
export type SigningKey = {
  /** Its name in the header of tokens and in `/jwks`. */
  readonly id: string
  readonly key: KeyObject
  /** When the database is asked again which key signs. */
  readonly until: Date
}

/** The signing key of this process, once it has been read. Several processes may each have read another one. */
export type KeyRing = { signing: SigningKey | undefined; reading: Promise<SigningKey> | undefined }

export const createKeyRing = (): KeyRing => ({ signing: undefined, reading: undefined })

/** How long another process may have replaced the key before this one notices; the old one still verifies then. */
const rereadAfter = minutes(1)

/** What the private half is sealed for. */
const purpose = 'jwks'

export type JwtOptions = Exclude<Config['jwt'], false>

/** The options of tokens; throws `NOT_FOUND` where tokens are switched off. */
export function jwtOptions({ config }: Context): JwtOptions {
  if (config.jwt === false) throw new TollgateError('NOT_FOUND')
  return config.jwt
}

const unitsOfTime = { s: 1, m: 60, h: 3600, d: 86_400 } as const

/** Life of a token in milliseconds. */
export function tokenLife({ expirationTime }: JwtOptions): number {
  const unit = expirationTime.slice(-1) as keyof typeof unitsOfTime // the configuration allows no other
  return seconds(Number(expirationTime.slice(0, -1)) * unitsOfTime[unit])
}

/** The key that signs now; the first one is made when somebody first asks, a new one when it is time to rotate. */
export async function findSigningKey(ctx: Context): Promise<SigningKey> {
  const { keyRing } = ctx
  if (keyRing.signing && ctx.clock.now() < keyRing.signing.until) return keyRing.signing
  keyRing.reading ??= readSigningKey(ctx)
    .then((key) => {
      keyRing.signing = key
      return key
    })
    .finally(() => {
      keyRing.reading = undefined
    })
  return keyRing.reading
}

/** The public halves of all keys whose tokens verify. Read each time: a key that another process has just made is there. */
export async function listPublicKeys(ctx: Context): Promise<Answer<'getJwks'>> {
  // Somebody who looks before the first token is signed shall not keep an empty list.
  await findSigningKey(ctx)
  const keys = await listPublishedKeys(ctx.db, ctx.clock.now())
  return {
    keys: keys.map(({ id, publicKey }) => {
      const { kty, crv, x } = JSON.parse(publicKey) as JsonWebKey // written by us, below
      return { kid: id, kty: String(kty), crv, x, alg: 'EdDSA', use: 'sig' }
    }),
  }
}

async function readSigningKey(ctx: Context): Promise<SigningKey> {
  const options = jwtOptions(ctx)
  const now = ctx.clock.now()
  const published = await listPublishedKeys(ctx.db, now)
  // A replaced key still signs where a process has no secret for the new one, while whoever gets the token can verify it.
  const lasting = published.filter(({ retiresAt }) => !retiresAt || retiresAt > after(now, tokenLife(options)))
  const opened = firstOpened(ctx, lasting)
  const rotatesAt =
    opened && !opened.row.retiresAt && options.rotationInterval !== undefined
      ? after(opened.row.createdAt, seconds(options.rotationInterval))
      : undefined
  if (opened && (!rotatesAt || now < rotatesAt)) {
    const reread = after(now, rereadAfter)
    return { id: opened.row.id, key: opened.key, until: rotatesAt && rotatesAt < reread ? rotatesAt : reread }
  }

  const replaced = published.filter(({ retiresAt }) => !retiresAt)
  if (!opened && replaced.length > 0)
    ctx.log.warn(
      { keys: replaced.map(({ id }) => id) },
      'SECRET and SECRET_PREVIOUS open no key that signs tokens: a new one is made',
    )
  return (await replaceKeys(ctx, options, replaced)) ?? readSigningKey(ctx)
}

/** Makes a key in place of others, which keep verifying for a while; nothing when another process has replaced them first. */
async function replaceKeys(
  ctx: Context,
  options: JwtOptions,
  replaced: readonly KeyRow[],
): Promise<SigningKey | undefined> {
  const now = ctx.clock.now()
  const id = newId()
  const pair = newSigningKeyPair()
  const row = {
    id,
    publicKey: JSON.stringify(pair.publicKey.export({ format: 'jwk' })),
    privateKey: ctx.secrets.seal(JSON.stringify(pair.privateKey.export({ format: 'jwk' })), purpose),
    createdAt: now,
  }
  const retiresAt = after(now, seconds(options.gracePeriod))
  const ids = replaced.map((key) => key.id)
  const isOurs = await ctx.transaction(async (tx) => {
    if (ids.length > 0 && (await retireKeys(tx, ids, retiresAt)) === 0) return false
    await insertKey(tx, row)
    return true
  })
  return isOurs ? { id, key: pair.privateKey, until: after(now, rereadAfter) } : undefined
}

function firstOpened(ctx: Context, rows: readonly KeyRow[]): { row: KeyRow; key: KeyObject } | undefined {
  for (const row of rows) {
    const key = open(ctx, row)
    if (key) return { row, key }
  }
  return undefined
}

/** The private half, or nothing when it was sealed by a secret that is gone. */
function open(ctx: Context, { privateKey }: KeyRow): KeyObject | undefined {
  try {
    return createPrivateKey({ key: JSON.parse(ctx.secrets.open(privateKey, purpose)) as JsonWebKey, format: 'jwk' })
  } catch {
    return undefined
  }
}
