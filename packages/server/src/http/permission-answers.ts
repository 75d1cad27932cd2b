import { authCalls } from '@tollgate/contract/calls'
import { authSchemas } from '@tollgate/contract/schemas'
import type { Context } from '../context.ts'
import type { SessionRow } from '../db/session-row.ts'
import { hasPermission } from '../organization/permission.service.ts'
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

  return {
    read: async ({ cookie, body, address }) => {
      const asked = authSchemas.hasPermission.body.safeParse(parseJson(body))
      const row = asked.success ? await findSession(cookie) : undefined
      if (!asked.success || !row || row.session.expiresAt <= clock.now()) return undefined
      try {
        const answer = await hasPermission(ctx, row, asked.data)
        await ctx.limits.request(authCalls.hasPermission.path, address)
        return JSON.stringify(answer)
      } catch {
        return undefined // the general way fails in the same way, and answers it
      }
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
