import type { Answer, ParsedBody, ParsedQuery } from '@tollgate/contract/types'
import type { Context } from '../context.ts'
import type { SessionRow } from '../db/session-row.ts'

export async function addDomain(
  _ctx: Context,
  _current: SessionRow,
  _body: ParsedBody<'addDomain'>,
): Promise<Answer<'addDomain'>> {
  throw new Error('not built yet')
}

export async function listDomains(
  _ctx: Context,
  _current: SessionRow,
  _query: ParsedQuery<'listDomains'>,
): Promise<Answer<'listDomains'>> {
  throw new Error('not built yet')
}

export async function verifyDomain(
  _ctx: Context,
  _current: SessionRow,
  _body: ParsedBody<'verifyDomain'>,
): Promise<Answer<'verifyDomain'>> {
  throw new Error('not built yet')
}

export async function updateDomain(
  _ctx: Context,
  _current: SessionRow,
  _body: ParsedBody<'updateDomain'>,
): Promise<Answer<'updateDomain'>> {
  throw new Error('not built yet')
}

export async function removeDomain(
  _ctx: Context,
  _current: SessionRow,
  _body: ParsedBody<'removeDomain'>,
): Promise<Answer<'removeDomain'>> {
  throw new Error('not built yet')
}
