import { authCalls } from '@tollgate/contract/calls'
import type { SessionAnswer } from '@tollgate/contract/types'
import { Hono } from 'hono'
import type { Context } from '../context.ts'
import { apiHeaders, jsonAnswer, publicHeaders } from './answer.ts'
import { readForm, readJson } from './body.ts'
import { authRoutes, dispatch, isServed, type RoutedCall } from './dispatch.ts'
import type { RequestEnv } from './request.ts'
import { type SessionAnswers, tokenHeaders } from './session-answers.ts'

/** The JSON API below the base path: every call that has a route and is not for server code only. */
export function authApi(ctx: Context, answers: SessionAnswers): Hono<RequestEnv> {
  const api = new Hono<RequestEnv>()
  for (const name of Object.keys(authRoutes) as RoutedCall[]) {
    const call = authCalls[name]
    if ('serverOnly' in call || !isServed(ctx.config, name)) continue
    api.on(call.method, call.path, async (c) => {
      const { origins, remoteAddress } = c.env
      const request = c.req.raw
      // Mail scanners look at links before people follow them.
      if (request.method === 'HEAD' && 'acts' in call) return new Response(null, { headers: apiHeaders })
      const { answer, redirect, redirectStatus, cookies } = await dispatch(
        ctx,
        name,
        {
          readBody:
            call.method !== 'POST' ? undefined : () => ('takesForm' in call ? readForm(request) : readJson(request)),
          query: queryOf(request.url) as never, // checked by dispatch
          params: c.req.param(),
          headers: request.headers,
          remoteAddress,
        },
        origins,
      )
      const session = name === 'getSession' ? (answer as SessionAnswer) : null // get-session's own answer
      const token = session ? await answers.tokenOf(session, isFromCookieCache(session)) : undefined
      const further = {
        ...('publicFor' in call && publicHeaders(call.publicFor)),
        ...(token && tokenHeaders(token.text)),
      }
      const response =
        redirect === undefined ? jsonAnswer(answer, 200, further) : redirectAnswer(redirect, redirectStatus)
      for (const cookie of cookies) response.headers.append('set-cookie', cookie)
      // A token is for a session that has just been looked at, so nothing that has one is kept.
      if (session && !token && cookies.length === 0 && isFromCookieCache(session))
        answers.keepCached(request.headers.get('cookie') ?? '', session)
      return response
    })
  }
  // Unknown paths and methods: as the ecosystem's clients know it, without a body (auth contract, section 1).
  api.all('*', () => new Response(null, { status: 404, headers: apiHeaders }))
  return api
}

/** Only the cookie cache leaves the organization out: it is always read fresh. */
const isFromCookieCache = (answer: NonNullable<SessionAnswer>): boolean => answer.organization === undefined

/** Parameters given twice are refused by the schemas: one text is wanted, not a list. */
function queryOf(address: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {}
  if (!address.includes('?')) return query
  for (const [name, value] of new URL(address).searchParams) {
    const before = Object.hasOwn(query, name) ? query[name] : undefined
    query[name] = before === undefined ? value : [before, value].flat()
  }
  return query
}

/** The target has been checked; it is sent exactly as the caller gave it. A token in it goes to nobody as a referrer. */
function redirectAnswer(location: string, status: 302 | 303): Response {
  return new Response(null, { status, headers: { location, ...apiHeaders, 'referrer-policy': 'no-referrer' } })
}
