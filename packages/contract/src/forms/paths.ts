/** The addresses of the pages. The defaults are those of the hosted pages. */
export type Paths = {
  readonly home: string
  /** Where a user goes after signing in, unless they were on the way to another page. */
  readonly signedIn: string
  readonly signIn: string
  readonly signUp: string
  readonly signOut: string
  readonly forgotPassword: string
  readonly resetPassword: string
  readonly verifyEmail: string
  readonly magicLink: string
  readonly magicLinkSent: string
  readonly account: string
  readonly security: string
  readonly connections: string
  readonly sessions: string
  readonly deleteAccount: string
  readonly emailChanged: string
  readonly accountDeleted: string
  readonly stopImpersonating: string
  /** The account's list of organizations. */
  readonly organizations: string
  readonly newOrganization: string
  readonly switchOrganization: string
  /** The base of an organization's pages: `/<slug>`, `/<slug>/members` … */
  readonly organization: string
  /** The base of an invitation's id. */
  readonly acceptInvitation: string
  /** The base of a link's token. */
  readonly join: string
  readonly admin: string
}

export const defaultPaths: Paths = {
  home: '/',
  signedIn: '/',
  signIn: '/sign-in',
  signUp: '/sign-up',
  signOut: '/sign-out',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  magicLink: '/magic-link',
  magicLinkSent: '/magic-link/sent',
  account: '/account',
  security: '/account/security',
  connections: '/account/connections',
  sessions: '/account/sessions',
  deleteAccount: '/account/delete',
  emailChanged: '/account/email-changed',
  accountDeleted: '/account-deleted',
  stopImpersonating: '/stop-impersonating',
  organizations: '/account/organizations',
  newOrganization: '/organizations/new',
  switchOrganization: '/organizations/switch',
  organization: '/org',
  acceptInvitation: '/accept-invitation',
  join: '/join',
  admin: '/admin',
}

/** A path with query parameters; undefined values are left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value)
  const separator = path.includes('?') ? '&' : '?'
  return search.size > 0 ? `${path}${separator}${search}` : path
}
