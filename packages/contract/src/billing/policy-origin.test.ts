import { expect, test } from 'vitest'
import { policyOrigin } from './policy-origin.ts'

test.each([
  ['https://shop.example', 'https://shop.example'],
  ['https://Shop.Example:8443/page?x=1#y', 'https://shop.example:8443'],
  ['http://127.0.0.1:4000', 'http://127.0.0.1:4000'],
  ['http://localhost', 'http://localhost'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['https://xn--bcher-kva.example', 'https://xn--bcher-kva.example'],
  ['https://under_score.example', 'https://under_score.example'],
])('%s is the origin %s', (address, origin) => {
  expect(policyOrigin(address)).toBe(origin)
})

test.each([
  '',
  'null',
  'shop.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://*',
  'https://*.example',
  'https://a;sandbox',
  'https://a;sandbox.example',
  'https://a,https://b',
  'https://a,b.example',
  "https://'self'",
  'https://a$.example',
  'https://shop.example.',
  'https://.example',
  'http://[::1]:3000',
])('a policy cannot name %s', (address) => {
  expect(policyOrigin(address)).toBeNull()
})
