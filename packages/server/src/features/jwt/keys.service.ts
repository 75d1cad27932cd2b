import { createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import type { Answer } from '@tollgate/contract/types'
import { after, minutes, seconds } from '../../foundation/clock.ts'
import type { Config } from '../../foundation/config/config.ts'
import { keysKeptFor, tokenSeconds } from '../../foundation/config/token-life.ts'
import type { Context } from '../../foundation/context.ts'
import { TollgateError } from '../../foundation/error.ts'
import { newId, newSigningKeyPair } from '../../foundation/ids.ts'
import { insertKey, type KeyRow, listPublishedKeys, retireKeys } from './keys.repository.ts'

declare module '../../foundation/context.ts' {
  interface Ports {
    /** The key that signs tokens for other services. */
    readonly keyRing: KeyRing
  }
}

/** The private key, ready to sign. */
export type SigningKey = {
  /** Its `kid` in the header of tokens and in `/jwks`. */
  readonly id: string
  readonly key: KeyObject
  /** When to read the signing key from the database again. */
  readonly until: Date
}

/** This process's signing key, once read. Several processes may use different keys for a while. */
export type KeyRing = { signing: SigningKey | undefined; reading: Promise<SigningKey> | undefined }

export const createKeyRing = (): KeyRing => ({ signing: undefined, reading: undefined })

/** How late this process may notice a replacement by another one; the old key still verifies meanwhile. */
const rereadAfter = minutes(1)

/** The purpose of the private key's seal. */
export const purpose = 'jwks'

export type JwtOptions = Exclude<Config['jwt'], false>

/** The options of tokens; throws `NOT_FOUND` where tokens are disabled. */
export function jwtOptions({ config }: Context): JwtOptions {
  if (config.jwt === false) throw new TollgateError('NOT_FOUND')
  return config.jwt
}

/** A token's lifetime in milliseconds. */
export const tokenLife = ({ expirationTime }: JwtOptions): number => seconds(tokenSeconds(expirationTime))

/**
 * The current signing key. The first request creates the first key; rotation creates new ones. A new key signs only
 * once every verifier that caches `/jwks` has it; until then the previous key signs.
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

/** The public keys of all keys that still verify. Not cached, so that a key from another process appears at once. */
export async function listPublicKeys(ctx: Context): Promise<Answer<'getJwks'>> {
  // Create the first key, or a verifier that comes early caches an empty list.
  await findSigningKey(ctx)
  const keys = await listPublishedKeys(ctx.db, ctx.clock.now())
  return {
    keys: keys.map(({ id, publicKey }) => {
      const { kty, crv, x }: JsonWebKey = JSON.parse(publicKey) // Written below.
      return { kid: id, kty: String(kty), crv, x, alg: 'EdDSA', use: 'sig' }
    }),
  }
}

async function readSigningKey(ctx: Context): Promise<SigningKey> {
  const options = jwtOptions(ctx)
  const now = ctx.clock.now()
  const published = await listPublishedKeys(ctx.db, now)
  const newest = published.filter(({ retiresAt }) => !retiresAt)
  // If a process cannot open the new key, the replaced one signs for as long as it outlives a token.
  const lasting = published.filter(({ retiresAt }) => !retiresAt || retiresAt > after(now, tokenLife(options)))
  const known = lasting.filter((row) => knownFrom(row) <= now)
  // If no key is old enough for every verifier, most of them know the oldest.
  const opened = firstOpened(ctx, known) ?? firstOpened(ctx, lasting.toReversed())
  const rotatesAt = rotationOf(firstOpened(ctx, newest)?.row, options)
  if (opened && (!rotatesAt || now < rotatesAt)) {
    const changes = [rotatesAt, ...lasting.map(knownFrom)].filter((at): at is Date => at !== undefined && at > now)
    const until = changes.reduce((first, at) => (at < first ? at : first), after(now, rereadAfter))
    return { id: opened.row.id, key: opened.key, until }
  }

  if (!opened && newest.length > 0)
    ctx.log.warn(
      { keys: newest.map(({ id }) => id) },
      'Neither SECRET nor SECRET_PREVIOUS opens a token signing key; creating a new key',
    )
  await replaceKeys(ctx, options, newest)
  return readSigningKey(ctx)
}

/** When every verifier has refreshed its cache since the key was created. */
const knownFrom = ({ createdAt }: KeyRow): Date => after(createdAt, seconds(keysKeptFor))

const rotationOf = (row: KeyRow | undefined, { rotationInterval }: JwtOptions): Date | undefined =>
  row && rotationInterval !== undefined ? after(row.createdAt, seconds(rotationInterval)) : undefined

/**
 * Creates a key that replaces others, which keep verifying for a while after it starts to sign. Does nothing when
 * another process has replaced them first.
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

/** Opens the private key; undefined when a removed secret sealed it. */
function open(ctx: Context, { privateKey }: KeyRow): KeyObject | undefined {
  try {
    const key: JsonWebKey = JSON.parse(ctx.secrets.open(privateKey, purpose))
    return createPrivateKey({ key, format: 'jwk' })
  } catch {
    return undefined
  }
}
