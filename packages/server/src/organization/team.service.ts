import type { Answer, ParsedBody, ParsedQuery } from '@tollgate/contract/types'
import type { Context } from '../context.ts'
import type { SessionRow } from '../db/session-row.ts'

export async function createTeam(
  _ctx: Context,
  _current: SessionRow,
  _body: ParsedBody<'createTeam'>,
): Promise<Answer<'createTeam'>> {
  throw new Error('not built yet')
}

export async function listTeams(
  _ctx: Context,
  _current: SessionRow,
  _query: ParsedQuery<'listTeams'>,
): Promise<Answer<'listTeams'>> {
  throw new Error('not built yet')
}

export async function updateTeam(
  _ctx: Context,
  _current: SessionRow,
  _body: ParsedBody<'updateTeam'>,
): Promise<Answer<'updateTeam'>> {
  throw new Error('not built yet')
}

export async function removeTeam(
  _ctx: Context,
  _current: SessionRow,
  _body: ParsedBody<'removeTeam'>,
): Promise<Answer<'removeTeam'>> {
  throw new Error('not built yet')
}
