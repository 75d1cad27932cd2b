/**
 * Every refusal that the service can give, in one table.
 *
 * The key is the internal name that domain code throws. `code` and `message` are wire values and may repeat:
 * general, verification and username texts are the specification's (section 8) word for word.
 * Without a `code`, the wire code is the message upper-cased, blanks as `_`, everything outside A–Z 0–9 `_` dropped
 * (auth contract, section 1).
 */
export type ErrorRow = {
  /** HTTP status. */
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 503
  /** Wire text, in English: it helps the caller, it tells nothing about other people's accounts. */
  readonly message: string
  /** Wire code where it differs from the one derived from the message. */
  readonly code?: string
}

export const errors = {
  // The request itself
  VALIDATION_ERROR: { status: 400, message: 'Invalid body parameters', code: 'VALIDATION_ERROR' },
  INVALID_QUERY: { status: 400, message: 'Invalid query parameters', code: 'VALIDATION_ERROR' },
  MALFORMED_JSON: { status: 400, message: 'Invalid JSON in request body', code: 'INVALID_JSON_IN_REQUEST_BODY' },
  MALFORMED_REQUEST: { status: 400, message: 'Malformed request' },
  JSON_TOO_DEEP: { status: 400, message: 'JSON is nested too deeply' },
  BODY_TOO_LARGE: { status: 413, message: 'Request body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Unsupported media type' },
  NOT_FOUND: { status: 404, message: 'Not found' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'Method not allowed' },
  UNAUTHORIZED: { status: 401, message: 'Unauthorized' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests. Please try again later.', code: 'TOO_MANY_REQUESTS' },
  SERVICE_BUSY: { status: 503, message: 'The service is busy. Please try again later.', code: 'SERVICE_BUSY' },
  SERVICE_UNAVAILABLE: { status: 503, message: 'The service is temporarily unavailable.', code: 'SERVICE_UNAVAILABLE' },
  INTERNAL_SERVER_ERROR: { status: 500, message: 'Internal server error' },

  CLOCK_MOVES_FORWARD_ONLY: { status: 422, message: 'The clock only moves forward' },

  // Origin and callback URL checks (specification, section 5)
  INVALID_ORIGIN: { status: 403, message: 'Invalid origin' },
  INVALID_CALLBACK_URL: { status: 403, message: 'Invalid callbackURL' },
  INVALID_REDIRECT_URL: { status: 403, message: 'Invalid redirectURL' },
  INVALID_ERROR_CALLBACK_URL: { status: 403, message: 'Invalid errorCallbackURL' },
  INVALID_NEW_USER_CALLBACK_URL: { status: 403, message: 'Invalid newUserCallbackURL' },
  CALLBACK_URL_REQUIRED: { status: 400, message: 'callbackURL is required' },

  // Accounts and sessions (specification, section 8, general and other messages)
  USER_NOT_FOUND: { status: 400, message: 'User not found' },
  FAILED_TO_CREATE_SESSION: { status: 500, message: 'Failed to create session' },
  FAILED_TO_GET_SESSION: { status: 400, message: 'Failed to get session' },
  SESSION_NOT_FOUND: { status: 400, message: 'Session not found' },
  SESSION_OF_ANOTHER_USER: { status: 401, message: 'Unauthorized' },
  SESSION_EXPIRED: { status: 400, message: 'Session expired. Re-authenticate to perform this action.' },
  SESSION_IS_NOT_FRESH: { status: 403, message: 'Session is not fresh' },
  SESSION_DATA_TOO_LARGE: { status: 400, message: 'Session data is too large', code: 'SESSION_DATA_TOO_LARGE' },
  INVALID_PASSWORD: { status: 400, message: 'Invalid password' },
  INVALID_EMAIL: { status: 400, message: 'Invalid email' },
  INVALID_EMAIL_OR_PASSWORD: { status: 401, message: 'Invalid email or password' },
  EMAIL_NOT_VERIFIED: { status: 403, message: 'Email not verified' },
  PASSWORD_TOO_SHORT: { status: 400, message: 'Password too short' },
  PASSWORD_TOO_LONG: { status: 400, message: 'Password too long' },
  PASSWORD_BREACHED: { status: 400, message: 'Password has appeared in a data breach' },
  USER_ALREADY_EXISTS: { status: 422, message: 'User already exists' },
  CREDENTIAL_ACCOUNT_NOT_FOUND: { status: 400, message: 'Credential account not found' },
  USER_ALREADY_HAS_A_PASSWORD: { status: 400, message: 'user already has a password' },
  EMAIL_AND_PASSWORD_DISABLED: { status: 400, message: 'Email and password is not enabled' },
  SIGN_UP_DISABLED: { status: 400, message: 'Email and password sign up is not enabled' },
  EITHER_USER_ID_OR_SESSION_REQUIRED: { status: 400, message: 'Either userId or session is required' },
  SETUP_TOKEN_INVALID: { status: 400, message: 'invalid token' },
  INVALID_NAME: { status: 400, message: 'Invalid name' },
  INVALID_IMAGE: { status: 400, message: 'Invalid image' },

  // Verification and reset
  VERIFICATION_EMAIL_DISABLED: { status: 400, message: "Verification email isn't enabled" },
  RESET_PASSWORD_DISABLED: { status: 400, message: "Reset password isn't enabled" },
  RESET_TOKEN_INVALID: { status: 400, message: 'invalid token' },
  VERIFY_INVALID_TOKEN: { status: 401, message: 'invalid_token' },
  VERIFY_TOKEN_EXPIRED: { status: 401, message: 'token_expired' },
  VERIFY_USER_NOT_FOUND: { status: 401, message: 'user_not_found' },
  VERIFY_UNAUTHORIZED: { status: 401, message: 'unauthorized' },
  UNABLE_TO_CREATE_VERIFICATION: { status: 500, message: 'Unable to create verification' },

  // Changing the account
  CHANGE_EMAIL_DISABLED: { status: 400, message: 'Change email is disabled' },
  EMAIL_IS_THE_SAME: { status: 400, message: 'Email is the same' },
  COULDNT_UPDATE_YOUR_EMAIL: { status: 400, message: "Couldn't update your email" },
  EMAIL_CAN_NOT_BE_UPDATED: { status: 400, message: 'Email can not be updated' },
  DELETE_USER_DISABLED: { status: 404, message: 'Not found' },
  DELETE_USER_NO_SESSION: { status: 404, message: 'Failed to get user info' },
  DELETE_TOKEN_INVALID: { status: 404, message: 'invalid token' },
} as const satisfies Record<string, ErrorRow>

export type ErrorName = keyof typeof errors

/** The wire code of a row: its own, else derived from its message. */
export function errorCode(name: ErrorName): string {
  const row: ErrorRow = errors[name]
  return (
    row.code ??
    row.message
      .toUpperCase()
      .replaceAll(' ', '_')
      .replace(/[^A-Z0-9_]/g, '')
  )
}
