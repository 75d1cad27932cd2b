import type { AnyCall, ErrorName } from '@tollgate/contract/calls'
import type { Endpoint } from '@tollgate/contract/schemas'
import type { z } from 'zod'
import type { Config } from '../config/config.ts'
import type { Context } from '../context.ts'
import type { TollgateError } from '../error.ts'
import type { HttpAnswer } from './answer.ts'
import type { Caller } from './caller.ts'
import type { ApiDescription } from './openapi.ts'
import type { Spelling } from './spelling.ts'

/** An API's endpoints by call name. */
export type Endpoints = Readonly<Record<string, Endpoint>>

/** The parts of a request that have a schema. */
export type Part = 'body' | 'query' | 'params'
export type Parts = Readonly<Record<Part, unknown>>

/** The input of `authenticate`. */
export type Asked<Row extends AnyCall> = {
  readonly call: Row
  readonly caller: Caller
  /** In camelCase. Already checked if the API is `inputFirst`, else raw. */
  readonly given: Parts
}

/**
 * An API as a value. `dispatch` runs its calls, `serveApi` serves it over HTTP and `openApi` describes it; none of
 * them depends on a feature. Each call's own settings are in its row.
 */
export type Api<Row extends AnyCall, Who extends object, Schemas extends Endpoints> = {
  readonly name: string
  basePath(config: Config): string
  readonly calls: { readonly [Name in keyof Schemas]: Row }
  readonly schemas: Schemas
  /** Holds the handler of each call under its name; calls that a page answers have none. */
  readonly handlers: { readonly [Name in keyof Schemas]?: (input: never) => unknown }
  /** A disabled call is refused with `unknown`, like one that does not exist. */
  isServed(config: Config, call: Row): boolean
  readonly unknown: ErrorName
  /** HTTP's answer for an unknown path, if it differs from the refusal. */
  readonly unknownAnswer?: HttpAnswer
  /** Whether answers are compressed where that is safe (`compression.ts`). */
  readonly compresses?: true
  /** Whether paths may end with a slash. */
  readonly trailingSlashes?: true
  /** The prefix of a call's path in rate-limit counters. */
  readonly countedBelow: string
  /** The spelling of names on the wire. */
  readonly spelling: Spelling
  /** Whether malformed input is refused before authentication. */
  readonly inputFirst: boolean
  /** Checks a part of the input against its schema, and refuses invalid input. */
  parse(part: Part, schema: z.ZodType, value: unknown): unknown
  /** Whether a header proves the sender's intent. No browser sends that header by itself. */
  hasToken?(call: Row, caller: Caller): boolean
  /** Authenticates the caller and refuses unauthorized ones. Handlers receive its result. */
  authenticate(ctx: Context, asked: Asked<Row>): Promise<Who>
  /** An answer that needs no service; `undefined` if the service must run. */
  answerWithout?(who: Who, call: Row, given: Parts): unknown
  /** The owner of idempotency keys, for APIs whose rows have `onceByKey`. */
  keyOwner?(who: Who, asked: Asked<Row>): readonly (string | null)[]
  /** Refusals that any call may give besides its own and `refusalsOfAll`. */
  readonly refusals?: readonly ErrorName[]
  /** Formats a refusal for this API's clients. */
  refuse(error: TollgateError): HttpAnswer
  /** People follow links of this API: a browser navigation that is refused gets a page. */
  readonly hasLinks?: true
  readonly description: ApiDescription<Row>
}

/** Any API, for code that treats all alike. */
// biome-ignore lint/suspicious/noExplicitAny: rows and callers differ from API to API
export type AnyApi = Api<any, any, any>

/** Refusals that any call of any API may give. */
export const refusalsOfAll: readonly ErrorName[] = [
  'SERVICE_UNAVAILABLE',
  'TOO_MANY_REQUESTS',
  'MALFORMED_REQUEST',
  'INTERNAL_SERVER_ERROR',
]

/** The input of `dispatch`. */
export type CallInput = {
  /** In camelCase. */
  readonly body?: unknown
  /** Reads the body from the wire, instead of `body`, after the rate limit and the origin check. */
  readonly readBody?: (() => Promise<unknown>) | undefined
  readonly file?: ReadableStream<Uint8Array> | null | undefined
  readonly query?: unknown
  readonly params?: unknown
  readonly headers?: Pick<Headers, 'get' | 'has'> | Readonly<Record<string, string>> | undefined
  readonly remoteAddress?: string | undefined
}
