import type { Answer, ParsedBody, ParsedQuery } from '@tollgate/contract/types'
import type { Context } from '../context.ts'
import type { SessionRow } from '../db/session-row.ts'

export async function adminListOrganizations(
  _ctx: Context,
  _current: SessionRow,
  _query: ParsedQuery<'adminListOrganizations'>,
): Promise<Answer<'adminListOrganizations'>> {
  throw new Error('not built yet')
}

export async function adminGetOrganization(
  _ctx: Context,
  _current: SessionRow,
  _query: ParsedQuery<'adminGetOrganization'>,
): Promise<Answer<'adminGetOrganization'>> {
  throw new Error('not built yet')
}

export async function adminListOrganizationMembers(
  _ctx: Context,
  _current: SessionRow,
  _query: ParsedQuery<'adminListOrganizationMembers'>,
): Promise<Answer<'adminListOrganizationMembers'>> {
  throw new Error('not built yet')
}

export async function adminListUserOrganizations(
  _ctx: Context,
  _current: SessionRow,
  _query: ParsedQuery<'adminListUserOrganizations'>,
): Promise<Answer<'adminListUserOrganizations'>> {
  throw new Error('not built yet')
}

export async function adminDeleteOrganization(
  _ctx: Context,
  _current: SessionRow,
  _body: ParsedBody<'adminDeleteOrganization'>,
): Promise<Answer<'adminDeleteOrganization'>> {
  throw new Error('not built yet')
}

export async function adminVerifyDomain(
  _ctx: Context,
  _current: SessionRow,
  _body: ParsedBody<'adminVerifyDomain'>,
): Promise<Answer<'adminVerifyDomain'>> {
  throw new Error('not built yet')
}
