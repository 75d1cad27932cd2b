import { expect, test } from 'vitest'
import { normalizeEmail } from '../identity/profile-rules.ts'
import { domainOf, normalizeDomain, proofRecord } from './domain-rules.ts'
import { publicMailDomains } from './public-mail-domains.ts'

test.each([
  ['Acme.Example', 'acme.example'],
  [' acme.example ', 'acme.example'],
  ['müller.example', 'xn--mller-kva.example'],
  ['xn--mller-kva.example', 'xn--mller-kva.example'],
  ['ａｃｍｅ.example', 'acme.example'],
  ['a.b.c.d.example', 'a.b.c.d.example'],
])('%j is the domain %s', (input, domain) => {
  expect(normalizeDomain(input)).toBe(domain)
  expect(domainOf(normalizeEmail(`someone@${input.trim()}`)!)).toBe(domain)
})

test.each([
  '',
  ' ',
  'localhost',
  'com',
  '.example',
  'acme.example.',
  'a..example',
  '192.0.2.1',
  '[::1]',
  '0x7f.1',
  'x@acme.example',
  'acme.example/path',
  'acme.example:443',
  'https://acme.example',
  'acme_corp.example',
  '-acme.example',
  'acme-.example',
  '*.acme.example',
  'acme example.com',
  'acme.exa\u0000mple',
  'acme\u202e.example',
  'people.invalid',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(125)}example`,
])('%j is no domain', (input) => {
  expect(normalizeDomain(input)).toBeNull()
})

test('domains of public mail services are written as addresses have them', () => {
  expect([...publicMailDomains].map(normalizeDomain)).toEqual([...publicMailDomains])
})

test('the record stands beside the records of the domain itself', () => {
  expect(proofRecord('acme.example', 'abc')).toEqual({
    name: '_tollgate.acme.example',
    value: 'tollgate-domain-verification=abc',
  })
})
