import type { Endpoint } from '@tollgate/contract/schemas'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { TollgateError } from '../error.ts'
import type { Caller } from './caller.ts'

export type { Caller }

/** An answer that redirects the browser. */
export class Redirect {
  readonly location: string
  readonly status: 302 | 303
  /** 303 turns a POST into a GET; the ecosystem's clients expect 302 everywhere else. */
  constructor(location: string, status: 302 | 303 = 302) {
    this.location = location
    this.status = status
  }
}

/** An answer with additional headers. */
export class Reply<Answer> {
  readonly answer: Answer
  readonly headers: Readonly<Record<string, string>>
  constructor(answer: Answer, headers: Readonly<Record<string, string>>) {
    this.answer = answer
    this.headers = headers
  }
}

/** A file as the answer: streamed, and never executed by a browser. */
export class Download {
  /** Its media type, such as `text/csv; charset=utf-8`. */
  readonly type: string
  /** Its file name: letters, digits, `.`, `_` and `-`. */
  readonly name: string
  readonly body: ReadableStream<Uint8Array>
  constructor(type: string, name: string, body: ReadableStream<Uint8Array>) {
    this.type = type
    this.name = name
    this.body = body
  }
}

/** A part of an endpoint's input or output: parsed, without unknown members. */
type Parsed<E, Part extends keyof Endpoint> = E extends { readonly [P in Part]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined

/** The part as a member, for endpoints that have it. */
type Given<E, Part extends keyof Endpoint> = E extends { readonly [P in Part]: z.ZodType }
  ? { readonly [P in Part]: Parsed<E, Part> }
  : unknown

/** A handler's input, fully checked by dispatch; `Who` is the result of the API's `authenticate`. */
export type HandlerInput<E, Who> = { readonly ctx: Context; readonly caller: Caller } & Given<E, 'body'> &
  Given<E, 'query'> &
  Given<E, 'params'> &
  Who

/** An endpoint's answer for server code. */
export type AnswerOf<E> = Parsed<E, 'output'>

/** The service of one call. It is exported under the call's name, and the API's table finds it there. */
export type Handler<E, Who, Answer> = (input: HandlerInput<E, Who>) => Promise<Answer>

/** Adds a query parameter to a redirect target, before its fragment; a relative target stays relative. */
export function withQuery(target: string, name: string, value: string): string {
  const [, address = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(target) ?? []
  return `${address}${address.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}${fragment}`
}

/**
 * For links that people follow. With a callbackURL the browser is redirected there; a refusal adds `?error=` with its
 * text, which is a code for these calls (specification, section 8). A banned user's sentence maps to a code, too (auth
 * contract, section 4). Without a callbackURL the call answers like any other.
 */
export async function redirecting<T>(callbackURL: string | undefined, work: () => Promise<T>): Promise<T | Redirect> {
  if (!callbackURL) return work()
  try {
    await work()
    return new Redirect(callbackURL)
  } catch (error) {
    if (!(error instanceof TollgateError) || error.row.status >= 500) throw error
    return new Redirect(withQuery(callbackURL, 'error', error.error === 'BANNED_USER' ? 'banned' : error.message))
  }
}
