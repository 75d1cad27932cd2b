import { generateKeyPairSync, type KeyPairKeyObjectResult, randomBytes, randomFillSync, randomUUID } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const lowerCase = '0123456789abcdefghijklmnopqrstuvwxyz'

// Reads random bytes in blocks: one read per id would be the main cost.
const block = new Uint8Array(1024)
let taken = block.length

/** The next random byte; each is used once and then erased. */
function randomByte(): number {
  if (taken === block.length) {
    randomFillSync(block)
    taken = 0
  }
  const byte = block[taken]!
  block[taken] = 0
  taken += 1
  return byte
}

/** Random text from an alphabet, without the bias that a plain remainder would give. */
function randomText(length: number, alphabet: string): string {
  const fair = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    const byte = randomByte()
    if (byte < fair) text += alphabet[byte % alphabet.length]
  }
  return text
}

/** Ids of rows, and session tokens: 32 characters of [A-Za-z0-9] (auth contract, section 1). */
export const newId = (): string => randomText(32, letters)

/** The secret of a mailed link: of the specification's length (section 9). */
export const newResetToken = (): string => randomText(24, letters)

/** 32 characters of digits and lower-case letters (specification, section 9). */
export const newDeletionToken = (): string => randomText(32, lowerCase)

/** Proves that a code returns to the client that requested it: of the specification's length (section 9; RFC 7636). */
export const newCodeVerifier = (): string => randomText(128, letters)

/** The secret of a link that signs in: 32 letters (auth contract, section 7). */
export const newMagicLinkToken = (): string => randomText(32, letters.replace(/\d/g, ''))

/** The secret of a link to join an organization: 32 letters. */
export const newInvitationLinkToken = (): string => randomText(32, letters.replace(/\d/g, ''))

/** The secret in an invitation mail: 32 letters. */
export const newInvitationProof = (): string => randomText(32, letters.replace(/\d/g, ''))

/** A code to type instead of following a link: six digits. Easy to guess, so tries are counted. */
export const newOneTimeCode = (): string => randomText(6, '0123456789')

/** Ids of billing objects: UUID v4 (billing contract, section 1). */
export const newUuid = (): string => randomUUID()

/** The secret part of an access token, a customer session, a checkout: 43 characters, 256 bits. */
export const newBillingSecret = (): string => randomText(43, letters)

let sortableIds = 0
/** The range of four base-36 letters, after which the count restarts. */
const sortableRound = 36 ** 4

/**
 * An id that sorts by creation: by millisecond and, within one process and millisecond, by its own count. Events are
 * paged and delivered in its order.
 */
export const newSortableId = (now: Date): string => {
  sortableIds = (sortableIds + 1) % sortableRound
  return sortableIdsFrom(now) + sortableIds.toString(36).padStart(4, '0') + randomText(19, lowerCase)
}

/** The lower bound of the sortable ids of a moment: earlier ids are smaller, later ones are not. */
export const sortableIdsFrom = (time: Date): string => Math.max(0, time.getTime()).toString(36).padStart(9, '0')

/** The lower bound of the sortable ids of the millisecond after an id's. */
export const sortableIdsAfter = (id: string): string =>
  sortableIdsFrom(new Date(Number.parseInt(id.slice(0, 9), 36) + 1))

const processMark = randomText(6, lowerCase)
let requests = 0

/** Short, unique, cheap: names a request in logs and in the `x-request-id` header. */
export const newRequestId = (): string => {
  requests += 1
  return `${processMark}${requests.toString(36)}`
}

/** A fresh Ed25519 pair (RFC 8032) to sign with. */
export const newSigningKeyPair = (): KeyPairKeyObjectResult => generateKeyPairSync('ed25519')

/** Fresh bytes for nonces and keys. */
export const randomKey = (length: number): Buffer => randomBytes(length)
