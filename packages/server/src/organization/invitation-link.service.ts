import type { Answer, ParsedBody, ParsedQuery } from '@tollgate/contract/types'
import type { Context } from '../context.ts'
import type { SessionRow } from '../db/session-row.ts'
import type { Caller } from '../http/route.ts'

export async function createInvitationLink(
  _ctx: Context,
  _current: SessionRow,
  _body: ParsedBody<'createInvitationLink'>,
): Promise<Answer<'createInvitationLink'>> {
  throw new Error('not built yet')
}

export async function listInvitationLinks(
  _ctx: Context,
  _current: SessionRow,
  _query: ParsedQuery<'listInvitationLinks'>,
): Promise<Answer<'listInvitationLinks'>> {
  throw new Error('not built yet')
}

export async function revokeInvitationLink(
  _ctx: Context,
  _current: SessionRow,
  _body: ParsedBody<'revokeInvitationLink'>,
): Promise<Answer<'revokeInvitationLink'>> {
  throw new Error('not built yet')
}

export async function getInvitationLink(
  _ctx: Context,
  _query: ParsedQuery<'getInvitationLink'>,
): Promise<Answer<'getInvitationLink'>> {
  throw new Error('not built yet')
}

export async function joinByLink(
  _ctx: Context,
  _caller: Caller,
  _current: SessionRow,
  _body: ParsedBody<'joinByLink'>,
): Promise<Answer<'joinByLink'>> {
  throw new Error('not built yet')
}
