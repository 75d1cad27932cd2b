import { type InputIssue, TollgateError } from '../error.ts'

/** The refusal of a request in which something is wrong; all of it is told at once. */
export const invalid = (...issues: readonly InputIssue[]): TollgateError =>
  new TollgateError('REQUEST_INVALID', { issues })

/** What is wrong with a member of the body; its path in the wire's spelling. */
export const inBody = (path: string | readonly (string | number)[], msg: string, type = 'value_error'): InputIssue => ({
  loc: ['body', ...[path].flat()],
  msg,
  type,
})
