import type { Messages } from './messages.ts'

/** Every text of a refusal; a page has those of `errors`, and of the other groups those that it can meet. */
export type ErrorMessages = Messages['errors'] &
  Messages['accountErrors'] &
  Messages['codeErrors'] &
  Messages['captchaErrors'] &
  Messages['organizationErrors'] &
  Messages['pictureErrors']

export type ErrorRow = {
  /** The text in the group `errors`, or in one of those that only the pages carry where it can be met. */
  readonly text: keyof ErrorMessages
  /** The fields that the refusal can be about, likeliest first; the first one that the form has gets the text. */
  readonly fields?: readonly string[]
}

const newPassword = ['newPassword', 'password'] as const
const oldPassword = ['currentPassword', 'password'] as const
const address = ['newEmail', 'email'] as const
/** On the sign-in page one field takes either. */
const username = ['username', 'email'] as const

/**
 * What a person reads for each code that a call can answer, and for the few that forms give themselves.
 * A code that is not here is a fault of the server or of the page, and reads as `unexpected`.
 */
export const errorTexts: Readonly<Record<string, ErrorRow>> = {
  // Given by forms before anything is sent
  EMAIL_REQUIRED: { text: 'emailRequired', fields: address },
  PASSWORD_REQUIRED: { text: 'passwordRequired', fields: oldPassword },
  NEW_PASSWORD_REQUIRED: { text: 'newPasswordRequired', fields: newPassword },
  NAME_REQUIRED: { text: 'nameRequired', fields: ['name'] },
  IDENTIFIER_REQUIRED: { text: 'identifierRequired', fields: ['email'] },
  CODE_REQUIRED: { text: 'codeRequired', fields: ['code'] },
  CONFIRMATION_WORD: { text: 'confirmationWord', fields: ['confirmation'] },
  OFFLINE: { text: 'offline' },

  // The request itself
  VALIDATION_ERROR: { text: 'invalidInput' },
  INVALID_JSON_IN_REQUEST_BODY: { text: 'unexpected' },
  MALFORMED_REQUEST: { text: 'unexpected' },
  JSON_IS_NESTED_TOO_DEEPLY: { text: 'unexpected' },
  REQUEST_BODY_IS_TOO_LARGE: { text: 'tooLong' },
  UNSUPPORTED_MEDIA_TYPE: { text: 'unexpected' },
  NOT_FOUND: { text: 'unexpected' },
  METHOD_NOT_ALLOWED: { text: 'unexpected' },
  UNAUTHORIZED: { text: 'signedOut' },
  TOO_MANY_REQUESTS: { text: 'tooManyRequestsSoon' },
  SERVICE_BUSY: { text: 'busy' },
  SERVICE_UNAVAILABLE: { text: 'busy' },
  INTERNAL_SERVER_ERROR: { text: 'unexpected' },
  INVALID_ORIGIN: { text: 'untrustedOrigin' },
  INVALID_CALLBACKURL: { text: 'untrustedCallback' },
  INVALID_REDIRECTURL: { text: 'untrustedCallback' },
  INVALID_ERRORCALLBACKURL: { text: 'untrustedCallback' },
  INVALID_NEWUSERCALLBACKURL: { text: 'untrustedCallback' },
  CALLBACKURL_IS_REQUIRED: { text: 'untrustedCallback' },

  // Accounts and sessions
  USER_NOT_FOUND: { text: 'accountGone' },
  BANNED_USER: { text: 'banned' },
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER: { text: 'soleOwner' },
  AN_ORGANIZATION_THAT_HAS_SOLD_SOMETHING_CANNOT_BE_DELETED: { text: 'hasSold' },
  FAILED_TO_CREATE_SESSION: { text: 'unexpected' },
  FAILED_TO_GET_SESSION: { text: 'signedOut' },
  SESSION_NOT_FOUND: { text: 'sessionGone' },
  SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION: { text: 'signInAgain' },
  SESSION_IS_NOT_FRESH: { text: 'signInAgain' },
  SESSION_DATA_TOO_LARGE: { text: 'tooLong' },
  INVALID_PASSWORD: { text: 'passwordWrong', fields: oldPassword },
  INVALID_EMAIL: { text: 'emailInvalid', fields: address },
  INVALID_EMAIL_OR_PASSWORD: { text: 'wrongCredentials' },
  EMAIL_NOT_VERIFIED: { text: 'emailNotVerified' },
  PASSWORD_TOO_SHORT: { text: 'tooFewCharacters', fields: newPassword },
  PASSWORD_TOO_LONG: { text: 'tooManyCharacters', fields: newPassword },
  PASSWORD_HAS_APPEARED_IN_A_DATA_BREACH: { text: 'passwordBreached', fields: newPassword },
  USER_ALREADY_EXISTS: { text: 'userExists', fields: ['email'] },
  CREDENTIAL_ACCOUNT_NOT_FOUND: { text: 'noPassword', fields: oldPassword },
  USER_ALREADY_HAS_A_PASSWORD: { text: 'unexpected' },
  EMAIL_AND_PASSWORD_IS_NOT_ENABLED: { text: 'passwordSignInOff' },
  EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED: { text: 'signUpOff' },
  EITHER_USERID_OR_SESSION_IS_REQUIRED: { text: 'signedOut' },
  INVALID_NAME: { text: 'nameInvalid', fields: ['name'] },
  INVALID_IMAGE: { text: 'imageInvalid', fields: ['image'] },
  PICTURE_UNREADABLE: { text: 'pictureUnreadable', fields: ['picture'] },
  PICTURE_TOO_LARGE: { text: 'pictureTooLarge', fields: ['picture'] },
  PICTURE_REQUIRED: { text: 'pictureMissing', fields: ['picture'] },

  // Verification and reset
  VERIFICATION_EMAIL_ISNT_ENABLED: { text: 'verificationOff' },
  RESET_PASSWORD_ISNT_ENABLED: { text: 'resetOff' },
  INVALID_TOKEN: { text: 'linkInvalid' },
  TOKEN_EXPIRED: { text: 'linkInvalid' },
  UNABLE_TO_CREATE_VERIFICATION: { text: 'unexpected' },

  // Changing the account
  CHANGE_EMAIL_IS_DISABLED: { text: 'changeEmailOff' },
  EMAIL_IS_THE_SAME: { text: 'emailSame', fields: ['newEmail'] },
  COULDNT_UPDATE_YOUR_EMAIL: { text: 'emailTaken', fields: ['newEmail'] },
  EMAIL_CAN_NOT_BE_UPDATED: { text: 'emailLocked' },
  THE_LAST_ADMINISTRATOR_CANNOT_BE_REMOVED: { text: 'lastAdmin' },
  NOT_ALLOWED_WHILE_IMPERSONATING: { text: 'impersonating' },

  // Providers and linked accounts
  PROVIDER_NOT_FOUND: { text: 'providerOff' },
  ID_TOKEN_NOT_SUPPORTED: { text: 'providerOff' },
  FAILED_TO_GET_USER_INFO: { text: 'providerFailed' },
  USER_EMAIL_NOT_FOUND: { text: 'providerNoEmail' },
  LINKING_NOT_ALLOWED: { text: 'providerOff' },
  ACCOUNT_NOT_LINKED: { text: 'accountNotLinked' },
  ACCOUNT_ALREADY_LINKED_TO_DIFFERENT_USER: { text: 'accountOfAnother' },
  SIGNUP_DISABLED: { text: 'signUpOff' },
  ACCOUNT_NOT_FOUND: { text: 'connectionGone' },
  YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT: { text: 'lastConnection' },

  // Usernames
  USERNAME_IS_TOO_SHORT: { text: 'tooFewCharacters', fields: username },
  USERNAME_IS_TOO_LONG: { text: 'tooManyCharacters', fields: username },
  USERNAME_IS_INVALID: { text: 'usernameInvalid', fields: username },
  USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER: { text: 'usernameTaken', fields: ['username'] },
  INVALID_USERNAME_OR_PASSWORD: { text: 'wrongUsername' },
  UNEXPECTED_ERROR: { text: 'unexpected' },

  // Mailed links and codes
  EXPIRED_TOKEN: { text: 'linkInvalid' },
  failed_to_create_user: { text: 'unexpected' },
  INVALID_OTP: { text: 'codeWrong', fields: ['code'] },
  OTP_EXPIRED: { text: 'codeExpired', fields: ['code'] },
  TOO_MANY_ATTEMPTS: { text: 'codeUsedUp', fields: ['code'] },

  // Captcha
  MISSING_CAPTCHA_RESPONSE: { text: 'captchaMissing' },
  CAPTCHA_VERIFICATION_FAILED: { text: 'captchaFailed' },
  CAPTCHA_VERIFICATION_IS_UNAVAILABLE_PLEASE_TRY_AGAIN_LATER: { text: 'busy' },
}

type CallbackRow = {
  readonly title: Extract<keyof Messages['errorPage'], `title${string}`>
  /** What helps: signing in again, or only going back to the application. */
  readonly action: 'signIn' | 'none'
}

const restart = { title: 'titleRestart', action: 'signIn' } as const
const provider = { title: 'titleProvider', action: 'signIn' } as const
const account = { title: 'titleAccount', action: 'signIn' } as const
const link = { title: 'titleLink', action: 'signIn' } as const
const server = { title: 'titleServer', action: 'signIn' } as const

/** What arrives as `error` in the address of a page; the text has the code's name in the group `errorPage`. */
export const callbackErrors = {
  invalid_callback_request: restart,
  state_not_found: restart,
  please_restart_the_process: restart,
  no_code: restart,
  access_denied: provider,
  oauth_provider_not_found: provider,
  invalid_code: provider,
  unable_to_get_user_info: provider,
  email_not_found: provider,
  no_callback_url: restart,
  account_already_linked_to_different_user: account,
  unable_to_link_account: account,
  account_not_linked: account,
  email_does_not_match: account,
  unable_to_create_user: server,
  unable_to_create_session: server,
  banned: account,
  signup_disabled: account,
  server_error: provider,
  temporarily_unavailable: provider,
  failed_to_create_user: server,
  internal_server_error: server,
  expired_token: link,
  token_expired: link,
  invalid_token: link,
  user_not_found: link,
  unauthorized: link,
} as const satisfies Readonly<Record<string, CallbackRow>>

export type CallbackErrorCode = keyof typeof callbackErrors

/** What a person reads for a code that a redirect has brought along; the messages need the group `errorPage`. */
export function callbackErrorText(code: string, texts: Messages['errorPage']): string {
  const known = callbackError(code)
  return known ? texts[known.code] : texts.unknownText
}

/** The row of a code from the address, or nothing when it is not one of ours. The reset link's code is in capitals. */
export function callbackError(code: string): (CallbackRow & { code: CallbackErrorCode }) | undefined {
  const known = code.toLowerCase()
  return Object.hasOwn(callbackErrors, known)
    ? { ...callbackErrors[known as CallbackErrorCode], code: known as CallbackErrorCode }
    : undefined
}
