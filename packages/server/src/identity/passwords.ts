import { pbkdf2, scrypt, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2'
import { minutes, monotonic } from '../clock.ts'
import { TollgateError } from '../error.ts'
import { randomKey } from '../ids.ts'
import type { Logger } from '../log.ts'
import { lowerHashingPriority } from './thread-priority.ts'

/**
 * Hashes and checks passwords, off the event loop and a bounded number at a time, so that a storm of sign-ins neither
 * slows reads down nor piles up for ever: beyond the bound the answer is SERVICE_BUSY.
 */
export type PasswordHasher = {
  /** argon2id with the parameters of the hasher; the PHC string names them. */
  hash(password: string): Promise<string>
  /**
   * Whether the password fits. `stored` is null for an unknown user or one without a password: the same work is done, so
   * that the time does not tell. `rehash` says that the string should be replaced by one of ours. A text with half of a
   * surrogate pair fits nothing: the hash does not tell it from others.
   */
  verify(stored: string | null, password: string): Promise<{ ok: boolean; rehash: boolean }>
}

/** What a hash of ours costs whoever guesses: memory in KiB, and how often it is gone through. */
export type PasswordCost = { readonly memoryCost: number; readonly timeCost: number }

/** OWASP's parameters for argon2id: 19 MiB, two passes; with it one lane, 16 bytes of salt, 32 of tag. */
export const passwordCost: PasswordCost = { memoryCost: 19_456, timeCost: 2 }

/** Waiting hashes beyond which a caller is told to come back: about two seconds of work on one core. */
const queueLimit = 200

/** One of libuv's four threads stays free for what must not wait behind hashes, such as the sync of a commit. */
const hashWidth = Math.min(3, availableParallelism())

type Format = 'argon2' | 'scrypt' | 'bcrypt' | 'pbkdf2'

/** How a stored string of each kind is told from the others. */
const formats: readonly { readonly format: Format; readonly pattern: RegExp }[] = [
  { format: 'argon2', pattern: /^\$argon2(id|i|d)\$/ },
  { format: 'bcrypt', pattern: /^\$2[abxy]?\$/ },
  { format: 'pbkdf2', pattern: /^\$?pbkdf2[-_]sha(1|256|512)\$/ },
  { format: 'scrypt', pattern: /^[0-9a-f]{32}:[0-9a-f]{128}$/ },
]

const formatOf = (stored: string): Format | undefined => formats.find(({ pattern }) => pattern.test(stored))?.format

/** What checking a string costs: its kind and its parameters. Strings of one cost take the same time. */
function costOf(stored: string): string {
  const format = formatOf(stored)
  if (format === 'bcrypt') return `bcrypt ${stored.slice(4, 6)}`
  if (format === 'pbkdf2')
    return stored
      .split('$')
      .slice(0, stored.startsWith('$') ? 3 : 2)
      .join('$')
  if (format === 'argon2') return stored.split('$').slice(0, 4).join('$')
  return format ?? 'unknown'
}

/** How long it is believed which foreign strings there are. */
const importsRemembered = minutes(1)

/**
 * `listImported` gives one foreign string of each cost that is still stored. A failed attempt is checked against each of
 * them too, whatever comes out: so it takes as long for a user who is not there as for any who is (security, §0).
 */
export function createPasswordHasher(
  log: Logger,
  listImported: () => Promise<readonly string[]>,
  cost: PasswordCost = passwordCost,
): PasswordHasher {
  const argon2Options = { ...cost, parallelism: 1, outputLen: 32 }
  // How our own strings begin; every other one is replaced at the next sign-in.
  const ownPrefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=1$`
  const run = boundedQueue(hashWidth, queueLimit)
  const imported = remembered(listImported, importsRemembered)
  const standIn = argon2Hash(randomKey(32), argon2Options)
  // The threads exist as soon as one of them has had work.
  standIn.then(lowerHashingPriority, () => {})

  return {
    hash: (password) => run(() => argon2Hash(normalized(password), argon2Options)),
    verify: async (stored, password) => {
      const format = stored === null ? undefined : formatOf(stored)
      if (stored !== null && !format) log.error('a stored password has an unknown format')
      const fits = stored !== null && format !== undefined && (await run(() => check(format, stored, password)))
      if (fits && password.isWellFormed()) {
        return { ok: true, rehash: !stored.startsWith(ownPrefix) }
      }
      const others = new Map([await standIn, ...(await imported())].map((each) => [costOf(each), each]))
      if (stored !== null) others.delete(costOf(stored))
      for (const other of others.values()) {
        const otherFormat = formatOf(other)
        if (otherFormat) await run(() => check(otherFormat, other, password))
      }
      return { ok: false, rehash: false }
    },
  }
}

/** Asks again only when the answer is older than that. */
function remembered<T>(ask: () => Promise<T>, milliseconds: number): () => Promise<T> {
  let answer: Promise<T> | undefined
  let askedAt = 0
  return () => {
    if (answer && monotonic() - askedAt < milliseconds) return answer
    askedAt = monotonic()
    const asked = ask()
    // A failure is not remembered.
    asked.catch(() => {
      answer = undefined
    })
    answer = asked
    return asked
  }
}

/** Two spellings of one character are one password (NIST SP 800-63B). */
const normalized = (password: string): string => password.normalize('NFKC')

/** Checks one string; a malformed one counts as a wrong password. */
async function check(format: Format, stored: string, password: string): Promise<boolean> {
  try {
    switch (format) {
      case 'argon2':
        return await argon2Verify(stored, normalized(password))
      case 'bcrypt':
        return await (await import('@node-rs/bcrypt')).verify(password, stored) // loaded only where such hashes are
      case 'pbkdf2':
        return await checkPbkdf2(stored, password)
      case 'scrypt':
        return await checkScrypt(stored, password)
    }
  } catch {
    return false
  }
}

type ScryptOptions = { N: number; r: number; p: number; maxmem: number }
const scryptKey = promisify<string, string, number, ScryptOptions, Buffer>(scrypt)
const pbkdf2Key = promisify(pbkdf2)

/** `<salt hex>:<key hex>` as better-auth writes it: the salt is the hex text itself. */
async function checkScrypt(stored: string, password: string): Promise<boolean> {
  const [salt = '', key = ''] = stored.split(':')
  const computed = await scryptKey(normalized(password), salt, 64, { N: 16_384, r: 16, p: 1, maxmem: 67_108_864 })
  return timingSafeEqual(computed, Buffer.from(key, 'hex'))
}

/** `$pbkdf2-sha256$i=600000$salt$key` (PHC), `$pbkdf2-sha256$29000$salt$key` (passlib), `pbkdf2_sha256$600000$salt$key` (Django). */
async function checkPbkdf2(stored: string, password: string): Promise<boolean> {
  const django = !stored.startsWith('$')
  const [name = '', rounds = '', salt = '', key = ''] = stored.replace(/^\$/, '').split('$')
  const digest = name.replace(/^pbkdf2[-_]/, '')
  const iterations = Number(/\d+/.exec(rounds)?.[0])
  if (!(iterations >= 1 && iterations <= 10_000_000)) return false
  const expected = Buffer.from(key.replaceAll('.', '+'), 'base64')
  const saltBytes = django ? Buffer.from(salt) : Buffer.from(salt.replaceAll('.', '+'), 'base64')
  if (expected.length < 16) return false
  return timingSafeEqual(await pbkdf2Key(password, saltBytes, iterations, expected.length, digest), expected)
}

/** Runs at most `width` pieces of work at once and lets at most `limit` wait. */
function boundedQueue(width: number, limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0

  return async (work) => {
    if (running >= width) {
      if (waiting.length >= limit) throw new TollgateError('SERVICE_BUSY', { retryAfter: 2 })
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      // The place goes straight to the next in line, so that nobody slips in between.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
