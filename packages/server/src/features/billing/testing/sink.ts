import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request to a webhook receiver, as it arrived. */
export type Received = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly raw: string
  readonly id: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into what is sent of every shape
  readonly body: any
  /** How many requests were open when it arrived, itself included. */
  readonly atOnce: number
}

/** The receiver's response: a status, or a function that writes it. */
export type Answering = (
  received: Received,
  response: ServerResponse,
) => number | undefined | Promise<number | undefined>

/** A receiver on this machine: stores requests by path, and responds as configured. */
export type Sink = AsyncDisposable & {
  readonly origin: string
  readonly received: Received[]
  /** The requests to a path, in order. */
  at(path: string): Received[]
  answer(path: string, answering: Answering): void
}

export async function openSink(): Promise<Sink> {
  const received: Received[] = []
  const answers = new Map<string, Answering>()
  let underWay = 0
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    underWay += 1
    response.on('close', () => {
      underWay -= 1
    })
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', async () => {
      const raw = Buffer.concat(pieces).toString()
      const path = request.url ?? ''
      const one: Received = {
        path,
        headers: request.headers,
        raw,
        id: String(request.headers['webhook-id']),
        body: JSON.parse(raw),
        atOnce: underWay,
      }
      received.push(one)
      const status = await (answers.get(path)?.(one, response) ?? (answers.has(path) ? undefined : 204))
      if (status !== undefined) response.writeHead(status).end(status === 204 ? undefined : `answered ${status}`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // the server listens
  return {
    origin: `http://127.0.0.1:${port}`,
    received,
    at: (path) => received.filter((one) => one.path === path),
    answer: (path, answering) => void answers.set(path, answering),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise<unknown>((resolve) => server.close(resolve))
    },
  }
}
