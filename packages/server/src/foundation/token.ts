import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto'
import { randomKey } from './ids.ts'
import { firstOf } from './proof/proven.ts'

/**
 * All uses of `SECRET`: signatures of cookies, encryption at rest. The first secret signs and encrypts; the previous
 * ones still verify and decrypt, so that a rotation signs no user out.
 *
 * The formats of the ecosystem (cookies, the copy in the cookie cache, verification links) are signed with the secret
 * itself, so that its tools read them. A signature for one purpose is therefore valid for every other: never sign a
 * text that a caller chooses; `seal` it, under a key of its own.
 */
export type Secrets = {
  /** `value.signature` as in a cookie, before percent-encoding. Never for a text that a caller chooses. */
  sign(value: string): string
  /** The value of a signed text, or null when no secret made the signature. */
  unsign(signed: string): string | null
  /** base64url HMAC-SHA256 of a text: the signature inside the cookie cache. */
  signature(text: string): string
  verifySignature(text: string, signature: string): boolean
  /** Encrypts (AES-256-GCM); the result names its key. Default purpose: storage. */
  seal(plain: string, purpose?: string): string
  /** Whether the first secret made a `seal`. Others stay readable only while their secret is configured. */
  isCurrent(sealed: string): boolean
  /** Decrypts a `seal` of the same purpose; throws when it was altered or no secret fits. */
  open(sealed: string, purpose?: string): string
  /**
   * HMAC-SHA256 in hex, under a key of its own: stores short secrets, such as six digits, which a plain hash would
   * reveal.
   */
  keyedHash(text: string): string
  /** Whether a text has this hash, with any of the secrets. */
  hasKeyedHash(text: string, hash: string): boolean
  /** Keys that sign and verify the e-mail verification JWT, newest first. */
  readonly jwtKeys: readonly Uint8Array[]
}

export function createSecrets(secret: string, previous: readonly string[] = []): Secrets {
  const all = [secret, ...previous]
  const encryptionKeys = new Map(all.map((each) => encryptionKey(each)))
  const [currentKeyId] = encryptionKeys.keys()
  const hashKeys = all.map((each) => createSecretKey(derivedKey(each, 'tollgate hashes of short secrets')))
  const hashKey = firstOf(hashKeys, 'there is a secret')
  const signingKeys = all.map((each) => createSecretKey(each, 'utf8'))
  const signingKey = firstOf(signingKeys, 'there is a secret')

  return {
    sign: (value) => `${value}.${hmac(signingKey, value).toString('base64')}`,
    unsign: (signed) => {
      const dot = signed.lastIndexOf('.')
      // 32 bytes in base64 are always 44 characters, so other lengths need no computation.
      if (dot < 1 || signed.length - dot - 1 !== 44) return null
      const value = signed.slice(0, dot)
      const given = Buffer.from(signed.slice(dot + 1), 'base64')
      return signingKeys.some((key) => sameBytes(hmac(key, value), given)) ? value : null
    },
    signature: (text) => hmac(signingKey, text).toString('base64url'),
    verifySignature: (text, signature) => {
      const given = Buffer.from(signature, 'base64url')
      return signingKeys.some((key) => sameBytes(hmac(key, text), given))
    },
    seal: (plain, purpose = '') => {
      const nonce = randomKey(12)
      const cipher = createCipheriv('aes-256-gcm', encryptionKeys.get(currentKeyId!)!, nonce)
      cipher.setAAD(Buffer.from(purpose))
      const encrypted = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `${currentKeyId}.${Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')}`
    },
    isCurrent: (sealed) => sealed.startsWith(`${currentKeyId}.`),
    open: (sealed, purpose = '') => {
      const [keyId, data] = sealed.split('.')
      const key = encryptionKeys.get(keyId ?? '')
      if (!key || !data) throw new Error('sealed with a secret that is not configured')
      const bytes = Buffer.from(data, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
      decipher.setAAD(Buffer.from(purpose))
      decipher.setAuthTag(bytes.subarray(12, 28))
      return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8')
    },
    keyedHash: (text) => hmac(hashKey, text).toString('hex'),
    hasKeyedHash: (text, hash) => {
      const given = Buffer.from(hash, 'hex')
      return hashKeys.some((key) => sameBytes(hmac(key, text), given))
    },
    jwtKeys: all.map((each) => new TextEncoder().encode(each)),
  }
}

/** Whether a text has the form of a `seal`: the name of its key, then a nonce, a tag and at least one byte. */
export const isSealed = (text: string): boolean => /^[0-9a-f]{8}\.[\w-]{39,}$/.test(text)

/** SHA-256 in hex: stores one-time proofs, so that a leaked table reveals none. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Whether a text has this hash. */
export const hasSha256 = (text: string, hash: string): boolean =>
  sameBytes(Buffer.from(hash), Buffer.from(sha256(text)))

function hmac(key: KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** Compares in constant time. */
function sameBytes(expected: Buffer, given: Buffer): boolean {
  return expected.length === given.length && timingSafeEqual(expected, given)
}

/** A key for one purpose (HKDF, RFC 5869): it reveals neither the secret nor the keys for other purposes. */
const derivedKey = (secret: string, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))

/** The key for encryption and its short name. */
function encryptionKey(secret: string): [string, Buffer] {
  const key = derivedKey(secret, 'tollgate encryption at rest')
  return [createHash('sha256').update(key).digest('hex').slice(0, 8), key]
}
