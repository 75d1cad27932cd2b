import { authCalls } from '@tollgate/contract/calls'
import { authSchemas } from '@tollgate/contract/schemas'
import type { ParsedBody } from '@tollgate/contract/types'
import type { Context } from '../context.ts'
import type { SessionRow } from '../db/session-row.ts'
import { hasPermission } from '../organization/permission.service.ts'
import { parseJson } from './body.ts'
import { cookieNames, createCookieJar } from './cookies.ts'

/**
 * Answers of `has-permission` on the shortest way: pages ask it for every button that they may draw. What it decides is the
 * service's; only the way there is short. Sessions are kept by the Cookie header that brings them, so that no signature is
 * checked and no row read twice. A kept one is believed until it expires, and while nothing was written that concerns
 * sessions, users, members or organizations, by this process or another (`database.sessionVersion`); where that cannot be
 * told (PostgreSQL), nothing is kept.
 */
export type PermissionAnswers = {
  /** The finished text; nothing where the general way has to refuse. */
  read(asked: { readonly cookie: string; readonly body: string; readonly address: string }): Promise<string | undefined>
}

type Kept = { readonly row: SessionRow; readonly version: number }

/** Longer headers are not kept, and only so many. */
const headerLimit = 6000
const countLimit = 8000

export function createPermissionAnswers(ctx: Context): PermissionAnswers {
  const { config, database, clock, secrets } = ctx
  const { sessionToken } = cookieNames(config)
  const kept = new Map<string, Kept>()

  async function findSession(header: string): Promise<SessionRow | undefined> {
    const version = database.sessionVersion()
    const known = kept.get(header)
    if (known && known.version === version) return known.row
    kept.delete(header)
    const token = createCookieJar(header, config, secrets).getSigned(sessionToken)
    const row = token === null ? undefined : await database.findSessionRow(token)
    if (row && version !== undefined && version === database.sessionVersion()) keep(header, { row, version })
    return row
  }

  function keep(header: string, session: Kept): void {
    if (header.length > headerLimit) return
    if (kept.size >= countLimit) kept.delete(kept.keys().next().value!)
    kept.set(header, session)
  }

  async function answerTo(cookie: string, asked: Question): Promise<string | undefined> {
    const row = await findSession(cookie)
    if (!row || row.session.expiresAt <= clock.now()) return undefined
    return JSON.stringify(await hasPermission(ctx, row, asked))
  }

  const { path } = authCalls.hasPermission
  return {
    // What is refused on the way is refused by the general way again, which answers it.
    read: async ({ cookie, body, address }) => {
      const asked = questionIn(body)
      if (!asked) return undefined
      try {
        await ctx.limits.request(path, address)
      } catch {
        return undefined
      }
      const answer = await answerTo(cookie, asked).catch(() => undefined)
      if (answer === undefined) await ctx.limits.takeBack(path, address)
      return answer
    },
  }
}

type Question = ParsedBody<'hasPermission'>

function questionIn(body: string): Question | undefined {
  try {
    return authSchemas.hasPermission.body.safeParse(parseJson(body)).data
  } catch {
    return undefined
  }
}
