import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '../../packages/server/src/app/node.ts'
import { createTestServer, type TestServer } from '../../packages/server/src/testing.ts'

/** A test server that listens on a port, for clients which know nothing but an address. */
export async function createListeningServer(): Promise<TestServer> {
  let answer: RequestListener
  const http = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo // it listens
  const server = await createTestServer({ baseURL: `http://127.0.0.1:${port}` })
  answer = toNodeHandler(server.tollgate)
  return {
    ...server,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]()
      http.closeAllConnections()
      http.close()
    },
  }
}
