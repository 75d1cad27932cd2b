import type { Answer, ParsedBody, ParsedQuery } from '@tollgate/contract/types'
import type { Context } from '../context.ts'
import type { SessionRow } from '../db/session-row.ts'

export async function createRole(
  _ctx: Context,
  _current: SessionRow,
  _body: ParsedBody<'createRole'>,
): Promise<Answer<'createRole'>> {
  throw new Error('not built yet')
}

export async function updateRole(
  _ctx: Context,
  _current: SessionRow,
  _body: ParsedBody<'updateRole'>,
): Promise<Answer<'updateRole'>> {
  throw new Error('not built yet')
}

export async function deleteRole(
  _ctx: Context,
  _current: SessionRow,
  _body: ParsedBody<'deleteRole'>,
): Promise<Answer<'deleteRole'>> {
  throw new Error('not built yet')
}

export async function getRole(
  _ctx: Context,
  _current: SessionRow,
  _query: ParsedQuery<'getRole'>,
): Promise<Answer<'getRole'>> {
  throw new Error('not built yet')
}

export async function listRoles(
  _ctx: Context,
  _current: SessionRow,
  _query: ParsedQuery<'listRoles'>,
): Promise<Answer<'listRoles'>> {
  throw new Error('not built yet')
}
