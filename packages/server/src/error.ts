import {
  type ErrorName,
  type ErrorRow,
  type ErrorValues,
  errorCode,
  errorMessage,
  errors,
} from '@tollgate/contract/calls'

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

  constructor(error: ErrorName, details: { cause?: unknown; retryAfter?: number; values?: ErrorValues } = {}) {
    super(errorMessage(error, details.values), { cause: details.cause })
    this.error = error
    this.row = errors[error]
    this.code = errorCode(error, details.values)
    this.retryAfter = details.retryAfter
  }
}
