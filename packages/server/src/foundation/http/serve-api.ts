import type { AnyCall } from '@tollgate/contract/calls'
import type { Context } from '../context.ts'
import { TollgateError } from '../error.ts'
import { apiHeaders, type HttpAnswer, jsonAnswer, publicHeaders } from './answer.ts'
import type { AnyApi } from './api.ts'
import { readForm, readJson } from './body.ts'
import { compressedAnswer, isCompressible } from './compression.ts'
import { type Dispatched, dispatch } from './dispatch.ts'
import { Download } from './handler.ts'
import { type Incoming, type RequestScope, searchOf } from './request.ts'
import { createRouter } from './router.ts'

/** An API served over HTTP. */
export type ServedApi = {
  readonly api: AnyApi
  /** Whether a request is for this API. `path` is decoded. */
  takes(method: string, path: string): boolean
  /** Throws the refusal of a call. */
  answer(request: Incoming, path: string, scope: RequestScope): Promise<HttpAnswer>
}

/** Completes the answer of one call before it is sent. */
export type Finish = (done: Dispatched<unknown>, answer: HttpAnswer) => Promise<HttpAnswer>

/** Serves every call of an API that has a handler and is not server-only. */
export function serveApi(ctx: Context, api: AnyApi, finishing: Readonly<Record<string, Finish>> = {}): ServedApi {
  const basePath = api.basePath(ctx.config)
  const calls = Object.entries<AnyCall>(api.calls)
  const served = calls.filter(([, call]) => !call.serverOnly && !call.page && api.isServed(ctx.config, call))
  const find = createRouter(basePath, served, api.trailingSlashes === true)
  const compressible = new Set(
    served.flatMap(([name]) => (api.compresses && isCompressible(api.schemas[name]) ? [name] : [])),
  )
  const findPage = createRouter(
    basePath,
    calls.filter(([, call]) => call.page),
    false,
  )

  return {
    api,
    takes: (method, path) =>
      (path === basePath || path.startsWith(`${basePath}/`)) && !findPage(routedMethod(method), path),
    answer: async (request, path, scope) => {
      const found = find(routedMethod(request.method), path)
      if (!found) {
        if (api.unknownAnswer) return api.unknownAnswer
        throw new TollgateError(api.unknown)
      }
      const { name, call, params } = found
      // Mail scanners send HEAD to links before people follow them, so it must not act.
      if (request.method === 'HEAD' && call.acts) return { status: 200, headers: apiHeaders }
      const done = await dispatch(
        ctx,
        api,
        name,
        {
          readBody: bodyReader(call, request),
          file: call.takesFile ? request.body : null,
          query: api.spelling.query(searchOf(request.target)),
          params,
          headers: request.headers,
          remoteAddress: scope.remoteAddress,
        },
        scope.origins,
      )
      const answer = { ...answerOf(api, name, call, done), cookies: done.caller.cookies.outgoing() }
      const finished = (await finishing[name]?.(done, answer)) ?? answer
      if (request.method === 'HEAD') return withoutBody(finished)
      return compressible.has(name) ? await compressedAnswer(finished, request.headers) : finished
    },
  }
}

/** HEAD is GET without the body (RFC 9110, section 9.3.2). */
const routedMethod = (method: string): string => (method === 'HEAD' ? 'GET' : method)

function bodyReader(call: AnyCall, request: Incoming): (() => Promise<unknown>) | undefined {
  if (call.method === 'GET' || call.method === 'DELETE' || call.takesFile) return undefined
  return call.takesForm ? () => readForm(request) : () => readJson(request)
}

function answerOf(
  api: AnyApi,
  name: string,
  call: AnyCall,
  { status, answer, redirect, headers }: Dispatched<unknown>,
): HttpAnswer {
  if (redirect) {
    // The target is checked and sent as the caller gave it. The policy keeps a token in it out of the Referer.
    const { location } = redirect
    return { status, headers: { location, ...apiHeaders, 'referrer-policy': 'no-referrer' } }
  }
  if (answer instanceof Download) return fileAnswer(answer)
  const further = call.publicFor === undefined ? headers : { ...headers, ...publicHeaders(call.publicFor) }
  if (status === 204) return { status, headers: { ...apiHeaders, ...further } }
  return jsonAnswer(answer, status, further, (body) => api.spelling.encode(body, api.schemas[name].output))
}

const fileAnswer = ({ type, name, body }: Download): HttpAnswer => ({
  status: 200,
  headers: {
    ...apiHeaders,
    'content-type': type,
    'content-disposition': `attachment; filename="${name}"`,
    'content-security-policy': "default-src 'none'",
  },
  body,
})

function withoutBody({ body, ...answer }: HttpAnswer): HttpAnswer {
  if (body instanceof ReadableStream) void body.cancel()
  return answer
}
