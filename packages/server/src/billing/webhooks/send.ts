import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { monotonic, seconds } from '../../clock.ts'
import type { ResolveAddresses } from '../../dns.ts'
import { isPublicAddress, type TargetRules, targetFault } from './webhook-target.ts'

/** What came of one request. */
export type Sent = {
  /** Null where there was no answer. */
  readonly httpCode: number | null
  /** The first bytes of the answer, or why there was none. */
  readonly response: string
  readonly responseHeaders: Readonly<Record<string, string>> | null
  /** In milliseconds. */
  readonly durationMs: number
}

export type Send = (url: string, headers: Readonly<Record<string, string>>, body: Buffer) => Promise<Sent>

/** For everything, from the look for the address to the last byte, in milliseconds (WH-4). */
const usualLimit = seconds(10)
/** As many bytes of an answer are kept (WH-8), and read at most: whoever says more is cut off. */
const shownBytes = 2000
const readBytes = 65_536
/** As many headers of an answer are kept, and as many letters of each. */
const shownHeaders = 40
const headerLength = 500

/**
 * Makes what sends webhooks: by kept connections, to checked addresses only, following nothing. The address that has been
 * checked is the one that is connected to, so that a name which changes its mind meanwhile gains nothing (WH-9).
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

/** A kept connection that the other side had closed by then: nobody has read the request. */
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
    // How it ends when nothing more is waited for.
    let settle = (why: Error): void => reject(why)
    const end = (why: Error) => {
      clearTimeout(timer)
      settle(why)
    }
    const timer = setTimeout(() => {
      const late = new Error(`No answer within ${timeLimit / 1000} seconds`)
      request.destroy(late)
      // Said here, too: a connection that has ended in a way of its own says nothing more.
      end(late)
    }, timeLimit)
    const ended = new Error('The connection was closed without an answer')
    request.on('error', (error: NodeJS.ErrnoException) =>
      end(request.reusedSocket && error.code === 'ECONNRESET' ? new StaleConnection() : error),
    )
    request.on('close', () => {
      // What has come in of an answer is read to its end.
      if (!isAnswered) end(ended)
    })
    // Nobody has asked for another protocol. Node says neither `response` nor `error` of such an answer.
    request.on('upgrade', (response, socket) => {
      socket.destroy()
      settle = () => resolve(answerOf(response, []))
      end(ended)
    })
    request.on('response', (response) => {
      const pieces: Buffer[] = []
      let length = 0
      // From here on it counts by its status, whatever becomes of the rest.
      settle = () => resolve(answerOf(response, pieces))
      isAnswered = true
      response.on('data', (piece: Buffer) => {
        length += piece.length
        if (length - piece.length < shownBytes) pieces.push(piece)
        // What it says further is of no interest: its status has been told.
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

/** Of a name all addresses are looked at: one that leads inside makes all of it suspect. */
function checkedLookup({ allowPrivateNetworks }: TargetRules, resolveAddresses: ResolveAddresses): LookupFunction {
  return (name, options, answer) => {
    resolveAddresses(name).then(
      (addresses) => {
        const fits = allowPrivateNetworks || addresses.every(({ address }) => isPublicAddress(address))
        const [first] = addresses.filter(({ address }) => isIP(address) !== 0)
        if (!first || !fits) answer(new Error('Not sent: the name leads into a private network'), '', 0)
        else if (options.all) answer(null, addresses)
        else answer(null, first.address, first.family)
      },
      (error) => answer(error, '', 0),
    )
  }
}

/** What went wrong, in words that say nothing of what is inside this network. */
function said(error: unknown): string {
  if (!(error instanceof Error)) return 'The connection failed'
  const { code } = error as NodeJS.ErrnoException // what Node adds
  return code ? `The connection failed (${code})` : error.message.slice(0, 200)
}

/** As a text that both databases take. */
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
