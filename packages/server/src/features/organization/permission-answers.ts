import { authCalls } from '@tollgate/contract/calls'
import { authSchemas } from '@tollgate/contract/schemas'
import type { ParsedBody } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import { parseJson } from '../../foundation/http/body.ts'
import { createCaller } from '../../foundation/http/caller.ts'
import { findCurrentSession } from '../identity/session.service.ts'
import { answerAbout } from './permission.service.ts'

/**
 * A fast path for `has-permission`, which pages call for every button. The service decides; only the way there is
 * shorter. Sessions are cached by their Cookie header, which saves signature checks and reads. A cached session is
 * valid until it expires or any process writes to sessions, users, members or organizations
 * (`database.version`). PostgreSQL has no such version, so nothing is cached there.
 */
export type PermissionAnswers = {
  /** The JSON text; undefined if the general path has to refuse. */
  read(asked: { readonly cookie: string; readonly body: string; readonly address: string }): Promise<string | undefined>
}

export function createPermissionAnswers(ctx: Context): PermissionAnswers {
  async function answerTo(cookie: string, asked: Question): Promise<string | undefined> {
    const headers = {
      get: (name: string) => (name === 'cookie' ? cookie : null),
      has: (name: string) => name === 'cookie',
    }
    const row = await findCurrentSession(ctx, createCaller(ctx, headers, ''))
    if (!row) return undefined
    return JSON.stringify(await answerAbout(ctx, row, asked))
  }

  const { path } = authCalls.hasPermission
  return {
    // The general path repeats every refusal and answers it.
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
