import { createSocket, type Socket } from 'node:dgram'
import { afterEach, expect, test } from 'vitest'
import { createResolveAddresses } from './dns.ts'

const open: Socket[] = []
afterEach(() => {
  for (const socket of open.splice(0)) socket.close()
})

const typeA = 1

/** A name server that answers each name with one IPv4 address, with none, or not at all. */
async function nameServer(knows: 'an address' | 'nothing' | 'silence') {
  const asked = { count: 0 }
  const socket = createSocket('udp4', (query, { port, address }) => {
    asked.count += 1
    if (knows === 'silence') return
    const question = query.subarray(12, query.indexOf(0, 12) + 5)
    const isAnswered = knows === 'an address' && question.readUInt16BE(question.length - 4) === typeA
    // An answer to a query: an unknown name, or the given number of records (RFC 1035, section 4).
    const head = Buffer.from([0, 0, 0x81, knows === 'nothing' ? 0x83 : 0x80, 0, 1, 0, isAnswered ? 1 : 0, 0, 0, 0, 0])
    query.copy(head, 0, 0, 2)
    const record = Buffer.from([0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7])
    socket.send(Buffer.concat([head, question, ...(isAnswered ? [record] : [])]), port, address)
  })
  open.push(socket)
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return { servers: [`127.0.0.1:${socket.address().port}`], asked }
}

test('the lookup queries servers for both kinds of addresses', async () => {
  const { servers, asked } = await nameServer('an address')

  const found = await createResolveAddresses({ knowsMachine: false, servers })('hooks.example.com')

  expect(found).toEqual([{ address: '192.0.2.7', family: 4 }])
  expect(asked.count).toBe(2)
})

test('lookups of unresponsive name servers time out, however many names there are', async () => {
  const { servers } = await nameServer('silence')
  const resolve = createResolveAddresses({ knowsMachine: true, servers, limit: 200 })
  const begun = performance.now()

  const results = await Promise.allSettled(
    Array.from({ length: 40 }, (_, index) => resolve(`slow-${index}.example.com`)),
  )

  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['rejected']))
  expect(performance.now() - begun).toBeLessThan(5000)
})

test('the machine resolves names unknown to servers only where it may know them', async () => {
  const { servers } = await nameServer('nothing')
  const answerOf = (knowsMachine: boolean) =>
    createResolveAddresses({ knowsMachine, servers })('name.invalid').catch(({ syscall }) => syscall)

  expect([await answerOf(false), await answerOf(true)]).toEqual(['queryA', 'getaddrinfo'])
})

test.each(['localhost', 'shop.localhost', 'LOCALHOST.'])('%s is this machine, and needs no lookup', async (name) => {
  const { servers, asked } = await nameServer('nothing')

  const found = await createResolveAddresses({ knowsMachine: false, servers })(name)

  expect(found.map(({ address }) => address)).toEqual(['127.0.0.1', '::1'])
  expect(asked.count).toBe(0)
})
