import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSecrets, sha256 } from './token.ts'

const first = 'the first secret, long enough for a start'
const second = 'the second secret, after it was changed'

test('a signature is HMAC-SHA256 in base64, after a dot', () => {
  expect(createSecrets(first).sign('value')).toBe(
    `value.${createHmac('sha256', first).update('value').digest('base64')}`,
  )
})

test('any value comes back from its signed text', () => {
  const secrets = createSecrets(first)

  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (value) => {
      expect(secrets.unsign(secrets.sign(value))).toBe(value)
    }),
  )
})

test('a change of any one character is noticed', () => {
  const secrets = createSecrets(first)
  const signed = secrets.sign('some.value')

  for (let index = 0; index < signed.length - 1; index += 1) {
    const other = signed[index] === 'A' ? 'B' : 'A'
    expect([index, secrets.unsign(signed.slice(0, index) + other + signed.slice(index + 1))]).toEqual([index, null])
  }
})

test('no text without our signature is taken, and none makes it fail', () => {
  const secrets = createSecrets(first)

  fc.assert(
    fc.property(fc.string(), fc.string({ maxLength: 60 }), (value, signature) => {
      expect(secrets.unsign(`${value}.${signature}`)).toBeNull()
      expect(secrets.verifySignature(value, signature)).toBe(false)
    }),
  )
})

test('the previous secrets still verify; the present one signs', () => {
  const before = createSecrets(first)
  const after = createSecrets(second, [first])

  expect(after.unsign(before.sign('value'))).toBe('value')
  expect(after.verifySignature('text', before.signature('text'))).toBe(true)
  expect(after.sign('value')).toBe(createSecrets(second).sign('value'))
  expect(before.unsign(after.sign('value'))).toBeNull()
  expect(before.verifySignature('text', after.signature('text'))).toBe(false)
})

test('a value sealed for one purpose opens for no other', () => {
  const secrets = createSecrets(first)

  expect(secrets.open(secrets.seal('x', 'a cookie'), 'a cookie')).toBe('x')
  expect(() => secrets.open(secrets.seal('x', 'a cookie'))).toThrow()
  expect(() => secrets.open(secrets.seal('x'), 'a cookie')).toThrow()
})

test('a sealed value opens with the secret that sealed it, also after a change, and two seals always differ', () => {
  const before = createSecrets(first)
  const after = createSecrets(second, [first])

  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (plain) => {
      const sealed = before.seal(plain)
      expect(before.open(sealed)).toBe(plain)
      expect(after.open(sealed)).toBe(plain)
      expect(before.seal(plain)).not.toBe(sealed)
    }),
    { numRuns: 30 },
  )
})

test('sealed text that was altered, cut off, or sealed by a stranger does not open', () => {
  const secrets = createSecrets(first)
  const sealed = secrets.seal('a secret')
  const [keyId, data = ''] = sealed.split('.')
  const bytes = Buffer.from(data, 'base64url')
  for (let index = 0; index < bytes.length; index += 1) {
    const altered = Buffer.from(bytes)
    altered[index]! ^= 1
    expect(() => secrets.open(`${keyId}.${altered.toString('base64url')}`)).toThrow()
  }

  for (const broken of [
    '',
    '.',
    `${keyId}`,
    `${keyId}.`,
    `${keyId}.AAAA`,
    `.${data}`,
    data,
    createSecrets(second).seal('x'),
  ])
    expect(() => secrets.open(broken)).toThrow()
  expect(sealed).not.toContain('secret')
})

test('signing and encrypting share no key', () => {
  const sealed = createSecrets(first).seal('x')

  expect(sealed.split('.')[0]).toMatch(/^[0-9a-f]{8}$/)
  expect(sealed.split('.')[0]).not.toBe(sha256(first).slice(0, 8))
})

test('a keyed hash is known by the secret that made it, also after a change, and by nothing else', () => {
  const before = createSecrets(first)
  const after = createSecrets(second, [first])
  const hash = before.keyedHash('402817')

  expect(hash).toMatch(/^[0-9a-f]{64}$/)
  expect([before, after].map((each) => each.hasKeyedHash('402817', hash))).toEqual([true, true])
  expect(before.hasKeyedHash('402818', hash)).toBe(false)
  expect(createSecrets(second).hasKeyedHash('402817', hash)).toBe(false)
  expect(after.keyedHash('402817')).toBe(createSecrets(second).keyedHash('402817'))
  // A key of its own: neither cookie signatures nor unkeyed hashes equal it.
  const others = [sha256('402817'), createHmac('sha256', first).update('402817').digest('hex')]
  expect(others).not.toContain(hash)
  for (const broken of ['', 'no hex', hash.slice(2), `${hash}00`])
    expect(before.hasKeyedHash('402817', broken)).toBe(false)
})

test('sha256 is that of the standard', () => {
  // FIPS 180-4, the example "abc".
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
