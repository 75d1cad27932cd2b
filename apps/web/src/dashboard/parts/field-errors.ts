import { CallError } from '../queries/answer.ts'

/** A client-side validation error of a field. */
export class FieldError extends Error {
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

/** The dialog field of each error code; other errors appear above the fields. */
const fields: Readonly<Record<string, string>> = {
  INVALID_EMAIL: 'email',
  USER_ALREADY_EXISTS: 'email',
  INVALID_NAME: 'name',
  PASSWORD_TOO_SHORT: 'password',
  PASSWORD_TOO_LONG: 'password',
  PASSWORD_HAS_APPEARED_IN_A_DATA_BREACH: 'password',
  USERNAME_IS_TOO_SHORT: 'username',
  USERNAME_IS_TOO_LONG: 'username',
  USERNAME_IS_INVALID: 'username',
  USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER: 'username',
  RefundAmountTooHigh: 'amount',
}

/** The field of an error, if any. */
export function fieldOf(error: Error): string | undefined {
  if (error instanceof FieldError) return error.field
  return error instanceof CallError && error.code !== undefined ? fields[error.code] : undefined
}

/** All client-side validation errors, by field. */
export class FieldErrors extends Error {
  readonly messages: ReadonlyMap<string, string>

  constructor(messages: ReadonlyMap<string, string>) {
    super([...messages.values()][0])
    this.messages = messages
  }
}

/** Whether an error is a client-side validation error. */
export const isFieldError = (error: unknown): error is FieldError | FieldErrors =>
  error instanceof FieldError || error instanceof FieldErrors
