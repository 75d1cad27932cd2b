import { createServer, type Socket } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export type ReceivedMail = { readonly from: string; readonly to: readonly string[]; readonly mail: Email }

export type MailServer = AsyncDisposable & {
  readonly url: string
  readonly received: ReceivedMail[]
  /** While set, each mail is answered only when this is resolved. */
  hold: Promise<void> | undefined
  /** While true, recipients are refused for now (451). */
  defers: boolean
  /** Recipients that were named, accepted or not. */
  attempts: number
}

/** A mail server that keeps what it is given. */
export async function startMailServer(port: number): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    // Clients keep their connections for the next mail.
    closeTimeout: 100,
    onRcptTo: (_address, _session, done) => {
      state.attempts += 1
      done(state.defers ? Object.assign(new Error('Try again later'), { responseCode: 451 }) : null)
    },
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const mail = await PostalMime.parse(Buffer.concat(chunks))
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        state.received.push({ from, to: envelope.rcptTo.map(({ address }) => address), mail })
        await state.hold
        done()
      })
    },
  })
  const state: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    received: [],
    hold: undefined,
    defers: false,
    attempts: 0,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  }
  // Clients that are killed in the middle are part of the tests.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return state
}

/** A mail server that takes connections and never says a word. */
export async function startSilentServer(port: number): Promise<AsyncDisposable & { connections(): number }> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    connections: () => sockets.length,
    [Symbol.asyncDispose]: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
