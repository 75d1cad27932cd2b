import { expect, test } from 'vitest'
import { createTestServer } from '../../testing.ts'
import { resolveConfig } from '../config/config.ts'
import { createLogger } from '../log.ts'
import { addressBucket, createClientAddress } from './address.ts'

type Proxies = { trustedProxies?: string[]; ipAddressHeaders?: string[] }

function addressOf(advanced: Proxies, peer: string | undefined, headers: Record<string, string>): string {
  const log = createLogger({ level: 'silent', format: 'json' })
  return createClientAddress(resolveConfig({ advanced }, {}), log)(new Headers(headers), peer)
}

const behind = { trustedProxies: ['10.0.0.0/8', '::1', 'fd00::/8'] }
const forwarded = (value: string) => ({ 'x-forwarded-for': value })

test.each<[string, Proxies, string | undefined, Record<string, string>, string]>([
  ['the peer is the client', {}, '203.0.113.9', {}, '203.0.113.9'],
  ['without a peer it is unknown', {}, undefined, forwarded('198.51.100.1'), ''],
  ['a peer that is no address is unknown', {}, 'unix:', {}, ''],
  ['a stranger’s header counts for nothing', {}, '203.0.113.9', forwarded('198.51.100.1'), '203.0.113.9'],
  ['… nor beside the proxies', behind, '203.0.113.9', forwarded('198.51.100.1'), '203.0.113.9'],
  ['a proxy is believed', behind, '10.1.2.3', forwarded('198.51.100.1'), '198.51.100.1'],
  ['a proxy that spells its own address as IPv6', behind, '::ffff:10.1.2.3', forwarded('198.51.100.1'), '198.51.100.1'],
  ['a proxy by IPv6', behind, 'fd00::1', forwarded('2001:db8::7'), '2001:db8::7'],
  [
    'only what the last stranger’s proxy says',
    behind,
    '10.1.2.3',
    forwarded('1.1.1.1, 198.51.100.1, 10.9.9.9'),
    '198.51.100.1',
  ],
  ['a client that writes a proxy’s address', behind, '10.1.2.3', forwarded('10.0.0.1, 198.51.100.1'), '198.51.100.1'],
  ['garbage from a proxy leaves the proxy', behind, '10.1.2.3', forwarded('1.1.1.1, nonsense'), '10.1.2.3'],
  ['an empty header leaves the proxy', behind, '10.1.2.3', forwarded(''), '10.1.2.3'],
  ['only proxies in the chain leave the proxy', behind, '10.1.2.3', forwarded('10.4.4.4'), '10.1.2.3'],
  ['a port is dropped', behind, '10.1.2.3', forwarded('198.51.100.1:4711'), '198.51.100.1'],
  ['brackets and a port too', behind, '10.1.2.3', forwarded('[2001:db8::7]:4711'), '2001:db8::7'],
  ['and a zone', {}, 'fe80::1%eth0', {}, 'fe80::1'],
  ['IPv4 in IPv6 is IPv4', {}, '::ffff:203.0.113.9', {}, '203.0.113.9'],
  ['… in hexadecimal digits', {}, '::ffff:cb00:7109', {}, '203.0.113.9'],
  ['… with zeros in front', {}, '::FFFF:0001:0009', {}, '0.1.0.9'],
  ['… at length', {}, '0:0:0:0:0:ffff:203.0.113.9', {}, '203.0.113.9'],
  ['… at length and in digits', {}, '0000:0000:0000:0000:0000:ffff:cb00:7109', {}, '203.0.113.9'],
  ['… shortened elsewhere', {}, '0:0:0:0:0:ffff:cb00::', {}, '203.0.0.0'],
  ['… said by a proxy, with a port', behind, '10.1.2.3', forwarded('[::ffff:cb00:7109]:4711'), '203.0.113.9'],
  ['IPv6 that only looks like it stays', {}, '::ffff:0:cb00:7109', {}, '::ffff:0:cb00:7109'],
  ['… and so does another network’s', {}, '2001:db8::ffff:cb00:7109', {}, '2001:db8::ffff:cb00:7109'],
  [
    'the configured header counts',
    { ...behind, ipAddressHeaders: ['cf-connecting-ip'] },
    '10.1.2.3',
    { 'cf-connecting-ip': '198.51.100.1', 'x-forwarded-for': '1.1.1.1' },
    '198.51.100.1',
  ],
  [
    '… and no other',
    { ...behind, ipAddressHeaders: ['cf-connecting-ip'] },
    '10.1.2.3',
    forwarded('1.1.1.1'),
    '10.1.2.3',
  ],
])('%s', (_, advanced, peer, headers, expected) => {
  expect(addressOf(advanced, peer, headers)).toBe(expected)
})

test('a session keeps the address that counts', async () => {
  await using server = await createTestServer({ advanced: { trustedProxies: ['127.0.0.1'] } })
  const ada = await server.signedUp('Ada', { headers: { 'x-forwarded-for': '198.51.100.1' } })

  expect((await ada.get('/get-session')).body.session.ipAddress).toBe('198.51.100.1')
})

test('a forwarded header of an untrusted client is logged once, with the remedy', async () => {
  await using server = await createTestServer()
  const stranger = server.visitor({ address: '203.0.113.9', headers: { 'x-forwarded-for': '198.51.100.1' } })

  await stranger.get('/ok')
  await stranger.get('/ok')

  const warnings = server.logs.filter((line) => line.includes('advanced.trustedProxies'))
  expect(warnings).toHaveLength(1)
  expect(JSON.parse(warnings[0]!)).toMatchObject({ level: 40, peer: '203.0.113.9' })
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['', 'unknown'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8:1::9', '2001:db8:1:0::/64'],
  ['2001:db8:1:3::', '2001:db8:1:3::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['64:ff9b::203.0.113.9', '64:ff9b:0:0::/64'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
  ['fe80::1', 'fe80:0:0:0::/64'],
])('limits count %s as %s', (address, bucket) => {
  expect(addressBucket(address)).toBe(bucket)
})
