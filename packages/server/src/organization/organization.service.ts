import type { Answer, ParsedBody, ParsedQuery } from '@tollgate/contract/types'
import type { Context } from '../context.ts'
import type { SessionRow } from '../db/session-row.ts'
import type { Caller } from '../http/route.ts'

export async function createOrganization(
  _ctx: Context,
  _caller: Caller,
  _current: SessionRow,
  _body: ParsedBody<'createOrganization'>,
): Promise<Answer<'createOrganization'>> {
  throw new Error('not built yet')
}

export async function checkOrganizationSlug(
  _ctx: Context,
  _current: SessionRow,
  _body: ParsedBody<'checkOrganizationSlug'>,
): Promise<Answer<'checkOrganizationSlug'>> {
  throw new Error('not built yet')
}

export async function updateOrganization(
  _ctx: Context,
  _caller: Caller,
  _current: SessionRow,
  _body: ParsedBody<'updateOrganization'>,
): Promise<Answer<'updateOrganization'>> {
  throw new Error('not built yet')
}

export async function deleteOrganization(
  _ctx: Context,
  _caller: Caller,
  _current: SessionRow,
  _body: ParsedBody<'deleteOrganization'>,
): Promise<Answer<'deleteOrganization'>> {
  throw new Error('not built yet')
}

export async function listOrganizations(
  _ctx: Context,
  _current: SessionRow,
  _query: ParsedQuery<'listOrganizations'>,
): Promise<Answer<'listOrganizations'>> {
  throw new Error('not built yet')
}

export async function getOrganization(
  _ctx: Context,
  _current: SessionRow,
  _query: ParsedQuery<'getOrganization'>,
): Promise<Answer<'getOrganization'>> {
  throw new Error('not built yet')
}

export async function getFullOrganization(
  _ctx: Context,
  _current: SessionRow,
  _query: ParsedQuery<'getFullOrganization'>,
): Promise<Answer<'getFullOrganization'>> {
  throw new Error('not built yet')
}

export async function setActiveOrganization(
  _ctx: Context,
  _caller: Caller,
  _current: SessionRow,
  _body: ParsedBody<'setActiveOrganization'>,
): Promise<Answer<'setActiveOrganization'>> {
  throw new Error('not built yet')
}
