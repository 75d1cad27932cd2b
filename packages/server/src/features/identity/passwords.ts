import { pbkdf2, scrypt, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2'
import { minutes, monotonic } from '../../foundation/clock.ts'
import { TollgateError } from '../../foundation/error.ts'
import { randomKey } from '../../foundation/ids.ts'
import type { Logger } from '../../foundation/log.ts'
import { lowerHashingPriority } from './thread-priority.ts'

declare module '../../foundation/context.ts' {
  interface Ports {
    readonly passwords: PasswordHasher
  }
}

/**
 * Hashes and checks passwords off the event loop with bounded concurrency, so that a storm of sign-ins neither slows
 * reads down nor queues without limit. Throws SERVICE_BUSY when the queue is full.
 */
export type PasswordHasher = {
  /** argon2id with the hasher's parameters; the PHC string names them. */
  hash(password: string): Promise<string>
  /**
   * Whether the password matches. `stored` is null for an unknown user or one without a password: the same work is
   * done, so that timing reveals nothing. `rehash` asks the caller to replace the string by one of ours. A text with
   * half of a surrogate pair never matches, because the hash cannot distinguish such texts.
   */
  verify(stored: string | null, password: string): Promise<{ ok: boolean; rehash: boolean }>
}

/** The cost of our hashes: memory in KiB, and passes. */
export type PasswordCost = { readonly memoryCost: number; readonly timeCost: number }

/** OWASP's parameters for argon2id: 19 MiB, two passes; also one lane, 16 bytes of salt, 32 of tag. */
export const passwordCost: PasswordCost = { memoryCost: 19_456, timeCost: 2 }

/** The most hashes that wait; more are refused. About two seconds of work on one core. */
const queueLimit = 200

/** Leaves one of libuv's four threads free for work that must not wait behind hashes, such as a commit's sync. */
const hashWidth = Math.min(3, availableParallelism())

type Format = 'argon2' | 'scrypt' | 'bcrypt' | 'pbkdf2'

/** How to recognise each kind of stored string. */
const formats: readonly { readonly format: Format; readonly pattern: RegExp }[] = [
  { format: 'argon2', pattern: /^\$argon2(id|i|d)\$/ },
  { format: 'bcrypt', pattern: /^\$2[abxy]?\$/ },
  { format: 'pbkdf2', pattern: /^\$?pbkdf2[-_]sha(1|256|512)\$/ },
  { format: 'scrypt', pattern: /^[0-9a-f]{32}:[0-9a-f]{128}$/ },
]

const formatOf = (stored: string): Format | undefined => formats.find(({ pattern }) => pattern.test(stored))?.format

/** The cost of checking a string: its kind and parameters. Strings of one cost take the same time. */
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

/** How long the list of foreign strings is cached. */
const importsRemembered = minutes(1)

/**
 * `listImported` returns one stored foreign string of each cost. A failed attempt is checked against each of them, so
 * that it takes the same time for known and unknown users (security, §0).
 */
export function createPasswordHasher(
  log: Logger,
  listImported: () => Promise<readonly string[]>,
  cost: PasswordCost = passwordCost,
): PasswordHasher {
  const argon2Options = { ...cost, parallelism: 1, outputLen: 32 }
  // How our own strings begin; any other is replaced at the next sign-in.
  const ownPrefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=1$`
  const run = boundedQueue(hashWidth, queueLimit)
  const imported = remembered(listImported, importsRemembered)
  const standIn = argon2Hash(randomKey(32), argon2Options)
  // libuv starts all its threads with the first piece of work, so lower their priority after that.
  standIn.then(lowerHashingPriority, () => {})

  return {
    hash: (password) => run(() => argon2Hash(normalized(password), argon2Options)),
    verify: async (stored, password) => {
      if (stored !== null && !formatOf(stored)) log.error('A stored password has an unknown format')
      // Everything that can fail comes before the first check, and the checks share one place in the queue. Otherwise
      // the server could refuse a wrong password as busy but accept a correct one: a guess that is answered but not
      // counted.
      const others = new Map([await standIn, ...(await imported())].map((each) => [costOf(each), each]))
      if (stored !== null) others.delete(costOf(stored))
      return run(async () => {
        if (stored !== null && (await check(stored, password)) && password.isWellFormed())
          return { ok: true, rehash: !stored.startsWith(ownPrefix) }
        for (const other of others.values()) await check(other, password)
        return { ok: false, rehash: false }
      })
    },
  }
}

/** Reads again only when the cached list is older than that. */
function remembered<T>(ask: () => Promise<T>, milliseconds: number): () => Promise<T> {
  let answer: Promise<T> | undefined
  let askedAt = 0
  return () => {
    if (answer && monotonic() - askedAt < milliseconds) return answer
    askedAt = monotonic()
    const asked = ask()
    // Failures are not cached.
    asked.catch(() => {
      answer = undefined
    })
    answer = asked
    return asked
  }
}

/** Two encodings of one character are one password (NIST SP 800-63B). */
const normalized = (password: string): string => password.normalize('NFKC')

/** Checks one string; a malformed or unknown one counts as a wrong password. */
async function check(stored: string, password: string): Promise<boolean> {
  const format = formatOf(stored)
  try {
    return format !== undefined && (await checks[format](stored, password))
  } catch {
    return false
  }
}

const checks: Record<Format, (stored: string, password: string) => Promise<boolean>> = {
  argon2: (stored, password) => argon2Verify(stored, normalized(password)),
  // Loaded only where such hashes are stored.
  bcrypt: async (stored, password) => (await import('@node-rs/bcrypt')).verify(password, stored),
  pbkdf2: (stored, password) => checkPbkdf2(stored, password),
  scrypt: (stored, password) => checkScrypt(stored, password),
}

type ScryptOptions = { N: number; r: number; p: number; maxmem: number }
const scryptKey = promisify<string, string, number, ScryptOptions, Buffer>(scrypt)
const pbkdf2Key = promisify(pbkdf2)

/** `<salt hex>:<key hex>`, better-auth's format: the salt is the hex text itself. */
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

/** Runs at most `width` tasks at once and queues at most `limit`. Refuses the rest before they begin. */
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
      // Hands the place straight to the next in line, so that no newcomer overtakes.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
