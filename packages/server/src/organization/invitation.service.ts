import type { Answer, ParsedBody, ParsedQuery } from '@tollgate/contract/types'
import type { Context } from '../context.ts'
import type { SessionRow } from '../db/session-row.ts'
import type { Caller } from '../http/route.ts'

export async function inviteMember(
  _ctx: Context,
  _caller: Caller,
  _current: SessionRow,
  _body: ParsedBody<'inviteMember'>,
): Promise<Answer<'inviteMember'>> {
  throw new Error('not built yet')
}

export async function inviteMembers(
  _ctx: Context,
  _caller: Caller,
  _current: SessionRow,
  _body: ParsedBody<'inviteMembers'>,
): Promise<Answer<'inviteMembers'>> {
  throw new Error('not built yet')
}

export async function acceptInvitation(
  _ctx: Context,
  _caller: Caller,
  _current: SessionRow,
  _body: ParsedBody<'acceptInvitation'>,
): Promise<Answer<'acceptInvitation'>> {
  throw new Error('not built yet')
}

export async function rejectInvitation(
  _ctx: Context,
  _current: SessionRow,
  _body: ParsedBody<'rejectInvitation'>,
): Promise<Answer<'rejectInvitation'>> {
  throw new Error('not built yet')
}

export async function cancelInvitation(
  _ctx: Context,
  _current: SessionRow,
  _body: ParsedBody<'cancelInvitation'>,
): Promise<Answer<'cancelInvitation'>> {
  throw new Error('not built yet')
}

export async function getInvitation(
  _ctx: Context,
  _caller: Caller,
  _query: ParsedQuery<'getInvitation'>,
): Promise<Answer<'getInvitation'>> {
  throw new Error('not built yet')
}

export async function listInvitations(
  _ctx: Context,
  _current: SessionRow,
  _query: ParsedQuery<'listInvitations'>,
): Promise<Answer<'listInvitations'>> {
  throw new Error('not built yet')
}

export async function listUserInvitations(
  _ctx: Context,
  _current: SessionRow,
  _query: ParsedQuery<'listUserInvitations'>,
): Promise<Answer<'listUserInvitations'>> {
  throw new Error('not built yet')
}
