import {
  type ErrorName,
  type ErrorRow,
  type ErrorValues,
  errorCode,
  errorMessage,
  errors,
} from '@tollgate/contract/calls'

/** What is wrong in a request, and where (billing contract, section 1, "422 body"). */
export type InputIssue = {
  /** `body`, `query` or `path`, then the way to it, in the wire's spelling. */
  readonly loc: readonly (string | number)[]
  readonly msg: string
  /** What kind of fault it is, such as `missing` or `greater_than_equal`. */
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
  /** Seconds until it is worth trying again; becomes the Retry-After header. */
  readonly retryAfter: number | undefined
  /** What stands in the message. */
  readonly values: ErrorValues | undefined
  /** All that is wrong at once, of REQUEST_INVALID. */
  readonly issues: readonly InputIssue[] | undefined

  constructor(
    error: ErrorName,
    details: { cause?: unknown; retryAfter?: number; values?: ErrorValues; issues?: readonly InputIssue[] } = {},
  ) {
    super(errorMessage(error, details.values), { cause: details.cause })
    this.error = error
    this.row = errors[error]
    this.code = errorCode(error, details.values)
    this.retryAfter = details.retryAfter
    this.values = details.values
    this.issues = details.issues
  }
}
