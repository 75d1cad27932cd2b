import type { Answer, ParsedBody, ParsedQuery } from '@tollgate/contract/types'
import type { Context } from '../context.ts'
import type { SessionRow } from '../db/session-row.ts'
import type { Caller } from '../http/route.ts'

export async function getActiveMember(_ctx: Context, _current: SessionRow): Promise<Answer<'getActiveMember'>> {
  throw new Error('not built yet')
}

export async function getActiveMemberRole(
  _ctx: Context,
  _current: SessionRow,
  _query: ParsedQuery<'getActiveMemberRole'>,
): Promise<Answer<'getActiveMemberRole'>> {
  throw new Error('not built yet')
}

export async function listMembers(
  _ctx: Context,
  _current: SessionRow,
  _query: ParsedQuery<'listMembers'>,
): Promise<Answer<'listMembers'>> {
  throw new Error('not built yet')
}

export async function addMember(
  _ctx: Context,
  _caller: Caller,
  _body: ParsedBody<'addMember'>,
): Promise<Answer<'addMember'>> {
  throw new Error('not built yet')
}

export async function updateMemberRole(
  _ctx: Context,
  _current: SessionRow,
  _body: ParsedBody<'updateMemberRole'>,
): Promise<Answer<'updateMemberRole'>> {
  throw new Error('not built yet')
}

export async function removeMember(
  _ctx: Context,
  _caller: Caller,
  _current: SessionRow,
  _body: ParsedBody<'removeMember'>,
): Promise<Answer<'removeMember'>> {
  throw new Error('not built yet')
}

export async function leaveOrganization(
  _ctx: Context,
  _caller: Caller,
  _current: SessionRow,
  _body: ParsedBody<'leaveOrganization'>,
): Promise<Answer<'leaveOrganization'>> {
  throw new Error('not built yet')
}
