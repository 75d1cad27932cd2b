import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { monotonic, seconds } from '../../../foundation/clock.ts'
import type { ResolveAddresses } from '../../../foundation/dns.ts'
import { codeOf } from '../../../foundation/proof/proven.ts'
import { isPublicAddress, type TargetRules, targetFault } from './webhook-target.ts'

/** The result of one request. */
export type Sent = {
  /** Null without a response. */
  readonly httpCode: number | null
  /** The first bytes of the response, or why there was none. */
  readonly response: string
  readonly responseHeaders: Readonly<Record<string, string>> | null
  /** In milliseconds. */
  readonly durationMs: number
}

export type Send = (url: string, headers: Readonly<Record<string, string>>, body: Buffer) => Promise<Sent>

/** For the whole request, from name resolution to the last byte, in milliseconds (WH-4). */
const usualLimit = seconds(10)
/** How many bytes of a response are kept (WH-8), and how many are read before the connection is cut. */
const shownBytes = 2000
const readBytes = 65_536
/** How many headers of a response are kept, and how many characters of each. */
const shownHeaders = 40
const headerLength = 500

/**
 * Creates the function that sends webhooks: over keep-alive connections, to checked addresses only, without redirects.
 * It connects to the address it has checked, so a name that resolves differently the second time gains nothing (WH-9).
 */
export function createSend(rules: TargetRules, resolveAddresses: ResolveAddresses, timeLimit = usualLimit): Send {
  const options = { keepAlive: true, maxFreeSockets: 8, timeout: seconds(30) }
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) }
  const lookup = checkedLookup(rules, resolveAddresses)

  return async (url, headers, body) => {
    const begun = monotonic()
    const fault = targetFault(url, rules)
    const ended = (part: Omit<Sent, 'durationMs'>): Sent => ({ ...part, durationMs: Math.round(monotonic() - begun) })
    if (fault) return ended(unanswered(`Not sent: ${fault}`))
    const target = new URL(url)
    const request = () =>
      ask(target, { headers, body, timeLimit, lookup, agent: agents[target.protocol as keyof typeof agents] }) // checked above
    const answer = request().catch((error) => {
      if (error instanceof StaleConnection) return request()
      throw error
    })
    return ended(await answer.catch((error) => unanswered(said(error))))
  }
}

const unanswered = (why: string): Omit<Sent, 'durationMs'> => ({ httpCode: null, response: why, responseHeaders: null })

/** The receiver had closed the kept connection already, so it has not read the request. */
class StaleConnection extends Error {}

type Asked = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly timeLimit: number
  readonly lookup: LookupFunction
  readonly agent: http.Agent
}

function ask(target: URL, { headers, body, timeLimit, lookup, agent }: Asked): Promise<Omit<Sent, 'durationMs'>> {
  return new Promise((resolve, reject) => {
    const { request: open } = target.protocol === 'https:' ? https : http
    const request = open(target, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(body.length) },
      agent,
      lookup,
      maxHeaderSize: 16_384,
    })
    let isAnswered = false
    // How the promise settles when the request ends.
    let settle = (why: Error): void => reject(why)
    const end = (why: Error) => {
      clearTimeout(timer)
      settle(why)
    }
    const timer = setTimeout(() => {
      const late = new Error(`No answer within ${timeLimit / 1000} seconds`)
      request.destroy(late)
      // Needed too: a connection that is already closed reports no error.
      end(late)
    }, timeLimit)
    const ended = new Error('The connection was closed without an answer')
    request.on('error', (error: NodeJS.ErrnoException) =>
      end(request.reusedSocket && error.code === 'ECONNRESET' ? new StaleConnection() : error),
    )
    request.on('close', () => {
      // After a response has begun, its own events end the request.
      if (!isAnswered) end(ended)
    })
    // No request asks for an upgrade. Node emits neither `response` nor `error` for such an answer.
    request.on('upgrade', (response, socket) => {
      socket.destroy()
      settle = () => resolve(answerOf(response, []))
      end(ended)
    })
    request.on('response', (response) => {
      const pieces: Buffer[] = []
      let length = 0
      // From here on the status decides, even if the body breaks off.
      settle = () => resolve(answerOf(response, pieces))
      isAnswered = true
      response.on('data', (piece: Buffer) => {
        length += piece.length
        if (length - piece.length < shownBytes) pieces.push(piece)
        // The rest does not matter: the status is known.
        if (length > readBytes) request.destroy()
      })
      response.on('close', () => end(ended))
      response.on('error', end)
    })
    request.end(body)
  })
}

const answerOf = (response: http.IncomingMessage, pieces: readonly Buffer[]): Omit<Sent, 'durationMs'> => ({
  httpCode: response.statusCode ?? null,
  response: textOf(Buffer.concat(pieces).subarray(0, shownBytes)),
  responseHeaders: headersOf(response.headers),
})

/** Checks all addresses of a name: one private address makes the whole name suspect. */
function checkedLookup({ allowPrivateNetworks }: TargetRules, resolveAddresses: ResolveAddresses): LookupFunction {
  return (name, options, answer) => {
    resolveAddresses(name).then(
      (addresses) => {
        const fits = allowPrivateNetworks || addresses.every(({ address }) => isPublicAddress(address))
        const [first] = addresses.filter(({ address }) => isIP(address) !== 0)
        if (!first || !fits) answer(new Error('Not sent: the host name resolves to a private network'), '', 0)
        else if (options.all) answer(null, addresses)
        else answer(null, first.address, first.family)
      },
      (error) => answer(error, '', 0),
    )
  }
}

/** The error for the delivery record, without details of this network. */
function said(error: unknown): string {
  if (!(error instanceof Error)) return 'The connection failed'
  const code = codeOf(error)
  return code ? `The connection failed (${code})` : error.message.slice(0, 200)
}

/** Valid text for both databases. */
const textOf = (bytes: Buffer): string => new TextDecoder().decode(bytes).replaceAll('\0', '\uFFFD')

function headersOf(headers: http.IncomingHttpHeaders): Record<string, string> {
  const shown = Object.entries(headers).slice(0, shownHeaders)
  return Object.fromEntries(
    shown.map(([name, value]) => [
      name.slice(0, 100),
      textOf(Buffer.from([value ?? ''].flat().join(', ').slice(0, headerLength))),
    ]),
  )
}
