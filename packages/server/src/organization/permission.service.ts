import type { Answer, ParsedBody } from '@tollgate/contract/types'
import type { Context } from '../context.ts'
import type { SessionRow } from '../db/session-row.ts'

export async function hasPermission(
  _ctx: Context,
  _current: SessionRow,
  _body: ParsedBody<'hasPermission'>,
): Promise<Answer<'hasPermission'>> {
  throw new Error('not built yet')
}
