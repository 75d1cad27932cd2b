import { connect, type Socket } from 'node:net'

/** Called with the answer's status, the length of its body and its text, or with status 0 when the connection broke. */
export type Done = (status: number, bodyBytes: number, text: () => string) => void

/**
 * One kept-alive connection that writes prepared requests and reads no more of the answers than their status and
 * length. A client that costs much less than the cheapest server is what makes the bare server's figure the server's.
 */
export class HttpConnection {
  readonly #port: number
  #socket: Socket
  #unread: Buffer | undefined
  #done: Done | undefined
  #closed = false

  constructor(port: number) {
    this.#port = port
    this.#socket = this.#open()
  }

  /** Sends one request; the next may follow when `done` was called. */
  send(request: string, done: Done): void {
    this.#done = done
    this.#socket.write(request, 'latin1')
  }

  close(): void {
    this.#closed = true
    this.#socket.destroy()
  }

  #open(): Socket {
    const socket = connect(this.#port, '127.0.0.1')
    socket.setNoDelay(true)
    socket.on('data', (chunk) => this.#read(chunk))
    socket.on('error', () => {}) // followed by `close`
    socket.on('close', () => this.#reopen())
    return socket
  }

  #reopen(): void {
    if (this.#closed) return
    this.#unread = undefined
    // A pause, or a server that refuses connections would be asked as fast as this program can run.
    setTimeout(() => {
      if (this.#closed) return
      this.#socket = this.#open()
      this.#finish(0, 0, noText)
    }, 20)
  }

  #read(chunk: Buffer): void {
    const received = this.#unread ? Buffer.concat([this.#unread, chunk]) : chunk
    const answer = readAnswer(received)
    if (!answer) {
      this.#unread = received
      return
    }
    this.#unread = undefined
    this.#finish(answer.status, answer.bodyBytes, () => received.toString('latin1'))
  }

  #finish(status: number, bodyBytes: number, text: () => string): void {
    const done = this.#done
    this.#done = undefined
    done?.(status, bodyBytes, text)
  }
}

const noText = () => ''

type Answer = { readonly status: number; readonly bodyBytes: number }

/** The answer when it is there completely, else nothing. */
function readAnswer(received: Buffer): Answer | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = received.toString('latin1', 0, headEnd)
  const status = Number(head.slice(9, 12))
  const bodyStart = headEnd + 4

  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length !== undefined) {
    const bodyBytes = Number(length)
    return received.length >= bodyStart + bodyBytes ? { status, bodyBytes } : undefined
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return { status, bodyBytes: 0 }
  const bodyBytes = chunkedLength(received, bodyStart)
  return bodyBytes === undefined ? undefined : { status, bodyBytes }
}

/** The sum of the chunks' lengths, when the last one is there. */
function chunkedLength(received: Buffer, start: number): number | undefined {
  let sum = 0
  for (let at = start; ; ) {
    const lineEnd = received.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(received.toString('latin1', at, lineEnd), 16)
    const next = lineEnd + 2 + size + 2
    if (received.length < next) return undefined
    if (size === 0) return sum
    sum += size
    at = next
  }
}
