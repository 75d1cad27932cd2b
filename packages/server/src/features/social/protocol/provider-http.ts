import type { Context } from '../../../foundation/context.ts'
import { chunksOf } from '../../../foundation/proof/proven.ts'
import { type Json, ProviderFault } from './provider.ts'

/** The longest wait for a provider, in milliseconds. */
const timeLimit = 10_000
/** The longest answer to read, in bytes; a profile has a few kilobytes. */
const sizeLimit = 1024 * 1024

/** An answer read to its end. */
export type ProviderAnswer = { readonly status: number; readonly headers: Headers; readonly text: string }

/**
 * Calls a provider with limits on time and size. Does not follow redirects, which would carry the token elsewhere.
 * Throws a `ProviderFault` when no answer arrives.
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
    // Reported below, like any other unusable answer.
  }
  throw new ProviderFault(`${hostOf(address)} answered ${status} with something other than a JSON object`)
}

export const isJsonObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** For the log: an address without its query, which may hold a token. */
export const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : 'a provider')

async function readBounded(response: Response): Promise<string> {
  if (!response.body) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunksOf(response.body)) {
    size += chunk.byteLength
    if (size > sizeLimit) throw new ProviderFault(`the response exceeds ${sizeLimit} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
