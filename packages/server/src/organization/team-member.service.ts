import type { Answer, ParsedBody, ParsedQuery } from '@tollgate/contract/types'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { SessionRow } from '../db/session-row.ts'
import type { Caller } from '../http/route.ts'
import type { MemberRow } from './answers.ts'

export async function setActiveTeam(
  _ctx: Context,
  _caller: Caller,
  _current: SessionRow,
  _body: ParsedBody<'setActiveTeam'>,
): Promise<Answer<'setActiveTeam'>> {
  throw new Error('not built yet')
}

export async function listUserTeams(
  _ctx: Context,
  _current: SessionRow,
  _query: ParsedQuery<'listUserTeams'>,
): Promise<Answer<'listUserTeams'>> {
  throw new Error('not built yet')
}

export async function listTeamMembers(
  _ctx: Context,
  _current: SessionRow,
  _query: ParsedQuery<'listTeamMembers'>,
): Promise<Answer<'listTeamMembers'>> {
  throw new Error('not built yet')
}

export async function addTeamMember(
  _ctx: Context,
  _current: SessionRow,
  _body: ParsedBody<'addTeamMember'>,
): Promise<Answer<'addTeamMember'>> {
  throw new Error('not built yet')
}

export async function removeTeamMember(
  _ctx: Context,
  _current: SessionRow,
  _body: ParsedBody<'removeTeamMember'>,
): Promise<Answer<'removeTeamMember'>> {
  throw new Error('not built yet')
}

/** Puts a new member into teams of the organization, which is locked by then. */
export async function joinTeams(
  _ctx: Context,
  _tx: Tx,
  _member: MemberRow,
  _teamIds: readonly string[],
  _actorId: string | null,
): Promise<void> {}
