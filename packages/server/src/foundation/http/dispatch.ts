import type { AnyCall } from '@tollgate/contract/calls'
import type { Endpoint } from '@tollgate/contract/schemas'
import type { Context } from '../context.ts'
import { TollgateError } from '../error.ts'
import { type AnyApi, type Api, type CallInput, type Endpoints, type Parts, refusalsOfAll } from './api.ts'
import { type Caller, createCaller } from './caller.ts'
import { type AnswerOf, Redirect, Reply } from './handler.ts'
import { answeredOnce } from './idempotency.ts'
import { assertOrigin, assertTargets, type Origins } from './origin.ts'

/** The result of a call. */
export type Dispatched<Answer> = {
  readonly status: number
  /** In camelCase; `undefined` if the call answers nothing, and for a redirect. */
  readonly answer: Answer
  readonly redirect: Redirect | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly caller: Caller
}

/** A result before cookies are added, which an idempotency key stores. */
export type Outcome = Pick<Dispatched<unknown>, 'status' | 'answer' | 'redirect' | 'headers'>

/**
 * Runs one call of an API: rate limit, origin, body, input, redirect targets, caller, service. The HTTP API, the
 * hosted pages' forms and `createTollgate().api` all use it. Calls of server code have no origin and omit `origins`.
 * An API that is not `inputFirst` authenticates before it checks the input.
 */
export async function dispatch<
  Row extends AnyCall,
  Who extends object,
  Schemas extends Endpoints,
  Name extends keyof Schemas & string,
>(
  ctx: Context,
  api: Api<Row, Who, Schemas>,
  name: Name,
  input: CallInput,
  origins?: Origins,
): Promise<Dispatched<AnswerOf<Schemas[Name]>>> {
  const call = api.calls[name]
  const endpoint: Endpoint = api.schemas[name]!
  if (!api.isServed(ctx.config, call)) throw new TollgateError(api.unknown)
  const caller = createCaller(ctx, readerOf(input.headers), input.remoteAddress ?? '', origins === undefined)
  if (origins) {
    await ctx.limits.request(api.countedBelow + call.path, caller.ipAddress, call.limit)
    if (isFromOwnPages(call) && !api.hasToken?.(call, caller)) assertOrigin(origins, caller.headers)
  }
  const given: Parts = {
    body: input.readBody ? api.spelling.decode(await input.readBody(), endpoint.body) : input.body,
    query: input.query ?? {},
    params: input.params ?? {},
  }
  const check = (): Parts => {
    const checked = checkedInput(api, endpoint, given)
    if (!origins) return checked
    assertTargets(origins, checked.body)
    // For a POST, also the targets that the call itself does not read.
    assertTargets(origins, api.hasLinks && call.method === 'POST' ? given.query : checked.query)
    return checked
  }
  const checkedFirst = api.inputFirst ? check() : undefined
  const who = await api.authenticate(ctx, { call, caller, given: checkedFirst ?? given })

  const run = async (context: Context): Promise<Outcome> => {
    const checked = checkedFirst ?? check()
    const known = api.answerWithout?.(who, call, checked)
    if (known !== undefined) return outcomeOf(call, known)
    const handle = api.handlers[name] as unknown as (given: unknown) => unknown // the table pairs each name with its own input
    return outcomeOf(call, await handle({ ctx: context, caller, file: input.file ?? null, ...checked, ...who }))
  }
  try {
    const key = call.onceByKey ? caller.headers.get('idempotency-key') : null
    const keyed = key !== null && { key, who: api.keyOwner?.(who, { call, caller, given }) ?? [], call: name, given }
    const outcome = keyed ? await answeredOnce(ctx, keyed, run) : await run(ctx)
    return { ...outcome, caller } as Dispatched<AnswerOf<Schemas[Name]>> // the handler's answer
  } catch (error) {
    throw listed(api, name, error)
  }
}

/**
 * Whether only own and trusted pages may send it with cookies. An upload to a secret address, and an event of a
 * processor, have no session that another site could use.
 */
const isFromOwnPages = ({ method, takesForm, takesFile, auth }: AnyCall): boolean =>
  method !== 'GET' && !takesForm && !(takesFile && (auth === 'secret' || auth === 'none'))

const isReader = (headers: object): headers is Pick<Headers, 'get' | 'has'> =>
  'get' in headers && typeof headers.get === 'function'

const readerOf = (headers: CallInput['headers'] = {}): Pick<Headers, 'get' | 'has'> =>
  isReader(headers) ? headers : new Headers(headers)

function outcomeOf(call: AnyCall, result: unknown): Outcome {
  if (result instanceof Redirect) return { status: result.status, answer: undefined, redirect: result, headers: {} }
  const { answer, headers } = result instanceof Reply ? result : { answer: result, headers: {} }
  return { status: call.status ?? 200, answer, redirect: undefined, headers }
}

const checkedInput = (api: AnyApi, { body, query, params }: Endpoint, given: Parts): Parts => ({
  body: body && api.parse('body', body, given.body ?? {}),
  query: query && api.parse('query', query, given.query),
  params: params && api.parse('params', params, given.params),
})

/** An unlisted refusal is a server fault and must not reach the client as an answer. */
function listed(api: AnyApi, name: string, error: unknown): unknown {
  if (!(error instanceof TollgateError)) return error
  const names = [api.schemas[name].errors, refusalsOfAll, api.refusals ?? []]
  if (names.some((each) => each.includes(error.error))) return error
  return new Error(`${name} may not answer ${error.error}: it is not in the endpoint's list`, { cause: error })
}
