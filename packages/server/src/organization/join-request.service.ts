import type { Answer, ParsedBody, ParsedQuery } from '@tollgate/contract/types'
import type { Context } from '../context.ts'
import type { SessionRow } from '../db/session-row.ts'
import type { Caller } from '../http/route.ts'

export async function listJoinableOrganizations(
  _ctx: Context,
  _current: SessionRow,
  _query: ParsedQuery<'listJoinableOrganizations'>,
): Promise<Answer<'listJoinableOrganizations'>> {
  throw new Error('not built yet')
}

export async function joinOrganization(
  _ctx: Context,
  _caller: Caller,
  _current: SessionRow,
  _body: ParsedBody<'joinOrganization'>,
): Promise<Answer<'joinOrganization'>> {
  throw new Error('not built yet')
}

export async function listJoinRequests(
  _ctx: Context,
  _current: SessionRow,
  _query: ParsedQuery<'listJoinRequests'>,
): Promise<Answer<'listJoinRequests'>> {
  throw new Error('not built yet')
}

export async function approveJoinRequest(
  _ctx: Context,
  _caller: Caller,
  _current: SessionRow,
  _body: ParsedBody<'approveJoinRequest'>,
): Promise<Answer<'approveJoinRequest'>> {
  throw new Error('not built yet')
}

export async function denyJoinRequest(
  _ctx: Context,
  _current: SessionRow,
  _body: ParsedBody<'denyJoinRequest'>,
): Promise<Answer<'denyJoinRequest'>> {
  throw new Error('not built yet')
}
