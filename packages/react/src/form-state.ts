/** Which form of a page was sent; each form carries it in a hidden field named `form`. */
export type FormName =
  | 'sign-in'
  | 'sign-up'
  | 'forgot-password'
  | 'reset-password'
  | 'resend-verification'
  | 'profile'
  | 'change-email'
  | 'change-password'
  | 'set-password'
  | 'revoke-session'
  | 'revoke-other-sessions'
  | 'delete-account'
  | 'sign-out'

/** What a form has to say that it is finished, or that another page wants said above it. */
export type Done =
  /** SignIn: a notice above the form. */
  | 'password-reset'
  | 'email-verified'
  | 'signed-out'
  | 'account-deleted'
  /** ForgotPassword: the same for known and unknown addresses; `values.email` is shown. */
  | 'sent'
  /** ResetPassword: the new password is saved. */
  | 'reset'
  /** VerifyEmail, and the resend button of the profile. */
  | 'resent'
  /** AccountSettings. `values.email` is shown with the ones about mails. */
  | 'saved'
  | 'email-changed'
  | 'email-requested'
  | 'password-changed'
  | 'reset-mail-sent'
  | 'session-revoked'
  | 'sessions-revoked'
  /** DeleteAccount: the mail with the link has been sent. */
  | 'delete-mail-sent'

/**
 * How a form stands: what the server renders after a post without JavaScript, and what the same form shows with it.
 * An absent state is a form that nobody has sent yet.
 */
export type FormState = {
  /** The form that was sent, on pages with several. */
  form?: FormName
  /** Wire code of the refusal, e.g. `INVALID_EMAIL_OR_PASSWORD`. */
  code?: string
  /** The server's English text; shown only for a code that we have no text for. */
  message?: string
  /** Refusals that belong to a field: its name → a code. */
  fields?: Readonly<Record<string, string>>
  /** What was entered, by field name; never a password. */
  values?: Readonly<Record<string, string>>
  /** Seconds until the server takes the form again (429). */
  retryAfter?: number
  done?: Done
}
