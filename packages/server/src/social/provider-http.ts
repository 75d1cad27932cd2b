import type { Context } from '../context.ts'
import { type Json, ProviderFault } from './provider.ts'

/** Longest wait for a provider, in milliseconds. */
const timeLimit = 10_000
/** Longest answer that is read; a profile has a few kilobytes. */
const sizeLimit = 1024 * 1024

/** An answer that has been read to its end. */
export type ProviderAnswer = { readonly status: number; readonly headers: Headers; readonly text: string }

/**
 * Asks a provider: bounded in time and size, redirects not followed (they would carry the token elsewhere). Throws a
 * `ProviderFault` when nothing comes back.
 */
export async function askProvider(ctx: Context, address: string, init: RequestInit = {}): Promise<ProviderAnswer> {
  try {
    const response = await ctx.fetch(address, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeLimit),
    })
    return { status: response.status, headers: response.headers, text: await readBounded(response) }
  } catch (cause) {
    if (cause instanceof ProviderFault) throw cause
    throw new ProviderFault(`${hostOf(address)} does not answer`, { cause })
  }
}

/** The answer as JSON: an object or a list. */
export function jsonOf({ status, text }: ProviderAnswer, address: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Told below, like any other answer that is of no use.
  }
  throw new ProviderFault(`${hostOf(address)} answered ${status} with something that is no JSON object`)
}

export const isJsonObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** For the log: an address without its query, which may hold a token. */
export const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : 'a provider')

async function readBounded(response: Response): Promise<string> {
  if (!response.body) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > sizeLimit) throw new ProviderFault(`an answer of more than ${sizeLimit} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
