import { type InputIssue, TollgateError } from '../../foundation/error.ts'

/** A validation error with all faults of a request. */
export const invalid = (...issues: readonly InputIssue[]): TollgateError =>
  new TollgateError('REQUEST_INVALID', { issues })

/** A fault of a member of the body; `path` in the wire's spelling. */
export const inBody = (path: string | readonly (string | number)[], msg: string, type = 'value_error'): InputIssue => ({
  loc: ['body', ...[path].flat()],
  msg,
  type,
})
