import {
  type ErrorName,
  type ErrorRow,
  type ErrorValues,
  errorCode,
  errorMessage,
  errors,
} from '@tollgate/contract/calls'

/** A fault in a request, and its place (billing contract, section 1, "422 body"). */
export type InputIssue = {
  /** `body`, `query` or `path`, then the path to it, in the wire's spelling. */
  readonly loc: readonly (string | number)[]
  readonly msg: string
  /** The kind of fault, such as `missing` or `greater_than_equal`. */
  readonly type: string
}

/** A refusal from the table of errors. Domain code throws it; `http/answer.ts` turns it into an answer. */
export class TollgateError extends Error {
  override readonly name = 'TollgateError'
  /** The row's key in the table. */
  readonly error: ErrorName
  readonly row: ErrorRow
  /** The wire code. */
  readonly code: string
  /** Seconds until a retry makes sense; becomes the Retry-After header. */
  readonly retryAfter: number | undefined
  /** The values of the message's placeholders. */
  readonly values: ErrorValues | undefined
  /** All faults of a REQUEST_INVALID. */
  readonly issues: readonly InputIssue[] | undefined

  /** Further members of the body, such as the quote that replaces an outdated one. */
  readonly extra: object | undefined

  constructor(
    error: ErrorName,
    details: {
      cause?: unknown
      retryAfter?: number
      values?: ErrorValues
      issues?: readonly InputIssue[]
      extra?: object
    } = {},
  ) {
    super(errorMessage(error, details.values), { cause: details.cause })
    this.error = error
    this.row = errors[error]
    this.code = errorCode(error, details.values)
    this.retryAfter = details.retryAfter
    this.values = details.values
    this.issues = details.issues
    this.extra = details.extra
  }
}
