import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createRawServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createSend } from './send.ts'

/** A receiver whose path sets the response, and which counts its connections. */
let receiver: Server
let origin: string
let port: number
const sockets = new Set<Socket>()
let connections = 0

const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/silent': () => {},
  '/headers-only': (response) => void response.writeHead(200).write('begun'),
  '/endless': (response) => {
    response.writeHead(200)
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
    }
    response.on('drain', more)
    more()
  },
  '/many-headers': (response) => {
    for (let index = 0; index < 100; index += 1) response.setHeader(`x-header-${index}`, 'v'.repeat(90))
    response.end('told')
  },
  '/closing': (response) => void response.writeHead(204, { connection: 'close' }).end(),
}

beforeAll(async () => {
  receiver = createServer((request, response) => {
    request.resume()
    const answer = answers[request.url ?? ''] ?? ((plain: ServerResponse) => void plain.writeHead(200).end('thanks'))
    answer(response)
  })
  receiver.on('connection', (socket) => {
    connections += 1
    sockets.add(socket)
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  port = (receiver.address() as AddressInfo).port // the server listens
  origin = `http://127.0.0.1:${port}`
})
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})

const inside = { allowPrivateNetworks: true, isProduction: false }
const loopback = async () => [{ address: '127.0.0.1', family: 4 }]
const send = createSend(inside, loopback, 300)
const post = (path: string) => send(origin + path, {}, Buffer.from('{}'))

test('one connection is kept for many requests', async () => {
  const before = connections
  for (let count = 0; count < 5; count += 1) expect((await post('/')).httpCode).toBe(200)

  expect(connections - before).toBe(1)
})

test('a kept connection that the receiver has closed costs no attempt', async () => {
  await post('/')
  for (const socket of sockets) socket.destroy()

  expect(await post('/')).toMatchObject({ httpCode: 200, response: 'thanks' })
})

test('a silent receiver gets the full time limit, and no more', async () => {
  const { httpCode, response, durationMs } = await post('/silent')

  expect([httpCode, response]).toEqual([null, 'No answer within 0.3 seconds'])
  expect(durationMs).toBeGreaterThanOrEqual(290)
})

test.each(['/headers-only', '/endless'])('an answer that never ends counts by its status: %s', async (path) => {
  const { httpCode, response } = await post(path)

  expect(httpCode).toBe(200)
  expect(response.length).toBeLessThanOrEqual(2000)
})

test('of an answer only so much is kept', async () => {
  const { responseHeaders } = await post('/many-headers')

  expect(Object.keys(responseHeaders ?? {})).toHaveLength(40)
})

test.each([
  ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n', 101],
  ['nothing but promises', 'HTTP/1.1 103 Early Hints\r\n\r\n', null],
  ['no HTTP', 'SSH-2.0-x\r\n', null],
  ['an end', undefined, null],
])('a receiver that answers %s is done with in time', async (_, says, httpCode) => {
  const open = new Set<Socket>()
  const raw = createRawServer((socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    socket.on('data', () => (says === undefined ? socket.end() : socket.write(says)))
  })
  await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve))
  const { port: at } = raw.address() as AddressInfo // the server listens

  const sent = await send(`http://127.0.0.1:${at}/`, {}, Buffer.from('{}'))

  expect(sent.httpCode).toBe(httpCode)
  await vi.waitUntil(() => open.size === 0, 30_000)
  await new Promise((resolve) => raw.close(resolve))
})

test('a name that is never found holds nothing up', async () => {
  const slow = createSend(inside, () => new Promise(() => {}), 300)

  expect(await slow('http://hooks.example.com/', {}, Buffer.from('{}'))).toMatchObject({
    httpCode: null,
    response: 'No answer within 0.3 seconds',
  })
})

test('the form asks for a name where the input is not an address, and leads to the match', async () => {
  expect((await send(`http://hooks.example.com:${port}/`, {}, Buffer.from('{}'))).httpCode).toBe(200)
  const nobody = createSend(inside, async () => [], 300)
  expect((await nobody('http://hooks.example.com/', {}, Buffer.from('{}'))).httpCode).toBeNull()
})
