import { expect, test } from 'vitest'
import { isPublicAddress, targetFault } from './webhook-target.ts'

const outside = { allowPrivateNetworks: false, isProduction: true }

test.each([
  'http://example.com/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://0/',
  'https://10.1.2.3/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://[::1]/',
  'https://[::]/',
  'https://[fe80::1]/',
  'https://[fd00::1]/',
  'https://[ff02::1]/',
  'https://[2001:db8::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[::ffff:8.8.8.8]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://localhost/',
  'https://localhost./',
  'https://service.localhost/',
  'https://LOCALHOST/',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://intranet/',
  'https://example.com:25/',
  'https://example.com:6443/',
  'https://example.com:10250/',
  'https://example.com:6379/',
  'https://ada:secret@example.com/',
  'https://ada@example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'javascript:alert(1)',
  'data:text/plain,x',
  'nonsense',
])('%s is no target outside', (url) => {
  expect(targetFault(url, outside)).toBeDefined()
})

test.each([
  'https://example.com/hook?x=1',
  'https://example.com:8443/',
  'https://8.8.8.8/',
  'https://172.32.0.1/',
  'https://[2606:4700::1111]/',
])('%s is one', (url) => {
  expect(targetFault(url, outside)).toBeUndefined()
})

test('where private networks are allowed, ports of other services still are not', () => {
  const inside = { allowPrivateNetworks: true, isProduction: true }
  expect(targetFault('http://127.0.0.1:4321/', inside)).toBeUndefined()
  expect(targetFault('http://10.0.0.1/', inside)).toBeUndefined()
  expect(targetFault('http://10.0.0.1:5432/', inside)).toBeDefined()
  expect(targetFault('http://a:b@10.0.0.1/', inside)).toBeDefined()
})

test('an invalid address is not public', () => {
  expect(['', 'example.com', '1.2.3', '999.1.1.1'].map(isPublicAddress)).toEqual([false, false, false, false])
})
