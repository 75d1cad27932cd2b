/** The data that the server passes to the dashboard. Part of the entry `pages`. */

import type { OrganizationFrame } from './organization-pages.ts'
import type { SessionAnswer } from './types.ts'

/** The data of the dashboard: its viewer, and the available features. */
export type DashboardProps = {
  readonly appName: string
  readonly mode: 'development' | 'production'
  /** Overrides the viewer's system setting. */
  readonly scheme?: 'light' | 'dark'
  /** The API's base address, for the client. */
  readonly basePath: string
  readonly session: NonNullable<SessionAnswer>
  /** The server's origin. */
  readonly origin: string
  /** The server's time, for "3 days ago" and for bans that end. */
  readonly now: string
  /** The viewer's time zone, as far as the server knows it, by its name in the IANA database. */
  readonly zone: string
  /** At `/admin`: the choices of the installation's administrators. */
  readonly administration?: DashboardAdministration
  /** At `/dashboard/:slug`: the organization that sells. */
  readonly seller?: DashboardSeller
}

/** The first picture of a dashboard page. */
export type DrawnDashboard = {
  readonly html: string
  /** Rules in place of style attributes. */
  readonly style: string
  /** The answers that it shows, by the keys of the dashboard's queries. */
  readonly data: readonly (readonly [key: readonly unknown[], answer: unknown])[]
}

/** The exports of the dashboard's build for the server. */
export type DashboardRenderer = {
  /**
   * Draws a page in English; undefined for an address that leads elsewhere.
   * @param input.address Path and query.
   * @param input.nonce Of the document's style sheets.
   * @param input.ask Makes an API call as the visitor.
   */
  draw(input: {
    readonly props: DashboardProps
    readonly address: string
    readonly nonce: string
    readonly ask: typeof fetch
  }): Promise<DrawnDashboard | undefined>
}

export type DashboardAdministration = {
  /** The assignable roles of users; a user without a role counts as the first. */
  readonly roles: readonly string[]
  /** Ids of the ways to sign in; `credential` is email and password. */
  readonly providers: readonly string[]
  readonly passwordRules: { readonly min: number; readonly max: number }
  readonly features: {
    readonly username: boolean
    readonly resetPassword: boolean
    readonly organizations: boolean
    /** Whether billing is on. */
    readonly billing: boolean
    /** Whether administrators decide which organizations may sell. */
    readonly selling: boolean
  }
}

export type DashboardSeller = {
  readonly organization: DashboardOrganization
  /** The viewer's permissions in it, by resource. */
  readonly permissions: Readonly<Record<string, readonly string[]>>
  /** Whether the operator has approved it to sell; until then only its settings are available. */
  readonly maySell: boolean
  /** How many people there are, and how many wait to become one. */
  readonly counts: Pick<OrganizationFrame['counts'], 'members' | 'invitations' | 'requests'>
  /** Whether organizations have teams here. */
  readonly teams: boolean
  /** Whether payments are tests that move no money. */
  readonly sandbox: boolean
  /** Whether no sale of this server bears tax. */
  readonly isUntaxed: boolean
  /** The viewer's organizations, this one included. */
  readonly organizations: readonly (DashboardOrganization & {
    /** Whether the viewer may sell there or read sales; if not, only its pages of people are theirs. */
    readonly sells: boolean
  })[]
  /** Whether the viewer also administers the installation. */
  readonly administers: boolean
  /** Whether an administrator acts as the viewer. */
  readonly impersonated: boolean
  /** Whether the viewer has hidden the first steps, in this browser. */
  readonly hidesFirstSteps: boolean
}

export type DashboardOrganization = {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly logo: string | null
}
