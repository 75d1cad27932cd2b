/** Where the pages are. The defaults are those of the hosted pages. */
export type Paths = {
  readonly home: string
  readonly signIn: string
  readonly signUp: string
  readonly signOut: string
  readonly forgotPassword: string
  readonly resetPassword: string
  readonly verifyEmail: string
  readonly account: string
  readonly security: string
  readonly sessions: string
  readonly deleteAccount: string
  readonly emailChanged: string
  readonly accountDeleted: string
}

export const defaultPaths: Paths = {
  home: '/',
  signIn: '/sign-in',
  signUp: '/sign-up',
  signOut: '/sign-out',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  account: '/account',
  security: '/account/security',
  sessions: '/account/sessions',
  deleteAccount: '/account/delete',
  emailChanged: '/account/email-changed',
  accountDeleted: '/account-deleted',
}

/** A path with query parameters; those without a value are left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value)
  const separator = path.includes('?') ? '&' : '?'
  return search.size > 0 ? `${path}${separator}${search}` : path
}
