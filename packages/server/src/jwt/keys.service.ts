import { createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import type { Answer } from '@tollgate/contract/types'
import { after, minutes, seconds } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { TollgateError } from '../error.ts'
import { newId, newSigningKeyPair } from '../ids.ts'
import { insertKey, type KeyRow, listPublishedKeys, retireKeys } from './keys.repository.ts'
import { keysKeptFor, tokenSeconds } from './token-life.ts'

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

/** Life of a token in milliseconds. */
export const tokenLife = ({ expirationTime }: JwtOptions): number => seconds(tokenSeconds(expirationTime))

/**
 * The key that signs now; the first one is made when somebody first asks, a new one when it is time to rotate. A new key
 * signs no earlier than everybody who keeps `/jwks` has seen it; until then the one before does.
 */
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
  const newest = published.filter(({ retiresAt }) => !retiresAt)
  // A replaced key still signs where a process has no secret for the new one, while whoever gets the token can verify it.
  const lasting = published.filter(({ retiresAt }) => !retiresAt || retiresAt > after(now, tokenLife(options)))
  const known = lasting.filter((row) => knownFrom(row) <= now)
  // Where nobody can know any key yet, the oldest is known to most.
  const opened = firstOpened(ctx, known) ?? firstOpened(ctx, lasting.toReversed())
  const rotatesAt = rotationOf(firstOpened(ctx, newest)?.row, options)
  if (opened && (!rotatesAt || now < rotatesAt)) {
    const changes = [rotatesAt, ...lasting.map(knownFrom)].filter((at) => at !== undefined && at > now)
    const until = [after(now, rereadAfter), ...changes].reduce((first, at) => (at! < first! ? at : first))!
    return { id: opened.row.id, key: opened.key, until }
  }

  if (!opened && newest.length > 0)
    ctx.log.warn(
      { keys: newest.map(({ id }) => id) },
      'SECRET and SECRET_PREVIOUS open no key that signs tokens: a new one is made',
    )
  await replaceKeys(ctx, options, newest)
  return readSigningKey(ctx)
}

/** From when on whoever verifies tokens has had to look for a key since it was made. */
const knownFrom = ({ createdAt }: KeyRow): Date => after(createdAt, seconds(keysKeptFor))

const rotationOf = (row: KeyRow | undefined, { rotationInterval }: JwtOptions): Date | undefined =>
  row && rotationInterval !== undefined ? after(row.createdAt, seconds(rotationInterval)) : undefined

/**
 * Makes a key in place of others, which keep verifying for a while from when it signs; nothing when another process has
 * replaced them first.
 */
async function replaceKeys(ctx: Context, options: JwtOptions, replaced: readonly KeyRow[]): Promise<void> {
  const now = ctx.clock.now()
  const pair = newSigningKeyPair()
  const row = {
    id: newId(),
    publicKey: JSON.stringify(pair.publicKey.export({ format: 'jwk' })),
    privateKey: ctx.secrets.seal(JSON.stringify(pair.privateKey.export({ format: 'jwk' })), purpose),
    createdAt: now,
  }
  const retiresAt = after(now, seconds(keysKeptFor + options.gracePeriod))
  const ids = replaced.map((key) => key.id)
  await ctx.transaction(async (tx) => {
    if (ids.length > 0 && (await retireKeys(tx, ids, retiresAt)) === 0) return
    await insertKey(tx, row)
  })
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
