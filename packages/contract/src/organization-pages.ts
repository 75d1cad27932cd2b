import type { Answer, SessionAnswer } from './types.ts'

/** What the pages of organizations are given, and the forms that they post; a part of `pages.ts`. */

/**
 * Forms of the pages of organizations. Those below `/org/:slug` act in that organization, whichever is active; what stands
 * behind a name are its fields.
 */
export type OrganizationForm =
  /** `name`, `slug`, `logo`. */
  | 'organization-create'
  /** `organizationId`, empty for none; `to`, the page to go on to. Posted to `/organizations/switch`. */
  | 'organization-switch'
  /** `name`, `slug`, `logo`. */
  | 'organization-update'
  /** `requireVerifiedEmail`. */
  | 'organization-policy'
  /** `metadata`: a JSON object as text. */
  | 'organization-metadata'
  /** `organizationId`. */
  | 'organization-leave'
  /** `confirmation`: the slug. */
  | 'organization-delete'
  /** `memberId`, `password` once the session is too old. */
  | 'organization-transfer'
  /** `memberId`, and a field `role.<name>` for each role that is ticked. */
  | 'member-role'
  /** `memberId`. */
  | 'member-remove'
  /** `emails`: any number with blanks, commas or lines between them; `role`, `teamId`. */
  | 'invite-members'
  /** `invitationId`. */
  | 'invitation-resend'
  | 'invitation-cancel'
  /** `role`, `teamId`, `maxUses`, `expiresIn` (days), `emailDomains`, `requiresApproval`. */
  | 'link-create'
  /** `linkId`. */
  | 'link-revoke'
  /** `requestId`. */
  | 'join-approve'
  | 'join-deny'
  /** `name`. */
  | 'team-create'
  /** `teamId`, `name`. */
  | 'team-rename'
  /** `teamId`. */
  | 'team-remove'
  /** `teamId`, `userId`. */
  | 'team-member-add'
  | 'team-member-remove'
  /** `role`, and a field `permission.<resource>.<action>` for each that is ticked. */
  | 'role-create'
  /** `roleId`, `role`, and the permissions likewise. */
  | 'role-update'
  /** `roleId`. */
  | 'role-delete'
  /** `domain`, `joinMode`. */
  | 'domain-add'
  /** `domainId`. */
  | 'domain-verify'
  /** `domainId`, `joinMode`. */
  | 'domain-update'
  /** `domainId`. */
  | 'domain-remove'
  /** `invitationId`, `proof`. */
  | 'invitation-accept'
  | 'invitation-reject'
  /** `token`. */
  | 'link-join'
  /** `organizationId`: by the domain of one’s address. */
  | 'organization-join'

/** What these forms have to say that they are finished. */
export type OrganizationDone =
  | 'organization-created'
  | 'organization-saved'
  | 'organization-left'
  | 'organization-deleted'
  | 'ownership-transferred'
  | 'member-updated'
  | 'member-removed'
  /** `values` has a member per address that was not invited: the address → a code; and `count` of those that were. */
  | 'members-invited'
  | 'invitation-resent'
  | 'invitation-canceled'
  | 'invitation-rejected'
  | 'link-created'
  | 'link-revoked'
  | 'join-approved'
  | 'join-denied'
  | 'join-requested'
  | 'team-saved'
  | 'team-removed'
  | 'role-saved'
  | 'role-removed'
  | 'domain-saved'
  | 'domain-verified'
  | 'domain-removed'

export type PageOrganization = NonNullable<Answer<'getOrganization'>>
export type PageMember = Answer<'listMembers'>['members'][number]

/** A role that members can hold: every organization's, or this one's own (then it has an id). */
export type PageRole = {
  readonly id?: string
  readonly name: string
  readonly permissions: Readonly<Record<string, readonly string[]>>
}

/** Who looks at the pages of an organization, and what there is. */
export type OrganizationFrame = {
  readonly session: NonNullable<SessionAnswer>
  /** The server's time, for "3 days ago". */
  readonly now: string
  /** Whether the viewer administers the installation. */
  readonly administers?: boolean
  /** Where the organization sells, for whoever may do something there. */
  readonly dashboard?: string
  readonly organization: PageOrganization
  /** The viewer's own membership and what it allows. */
  readonly member: Answer<'getActiveMember'>
  readonly isOwner: boolean
  /** For the switcher. */
  readonly organizations: Answer<'listOrganizations'>
  readonly roles: readonly PageRole[]
  /** The role that creators have, which holds everything. */
  readonly ownerRole: string
  /** Every resource and action that roles can be made of. */
  readonly statements: Readonly<Record<string, readonly string[]>>
  readonly counts: {
    readonly members: number
    readonly membershipLimit: number
    readonly invitations: number
    readonly requests: number
  }
  readonly features: {
    readonly teams: boolean
    readonly deletion: boolean
    /** Whether the last team may be removed. */
    readonly removingLastTeam: boolean
  }
}

/** The teams of a page that lets choose one. */
type WithTeams = { readonly teams: Answer<'listTeams'> }

type Offset = { readonly offset: number; readonly limit: number }

/** The data of each page of organizations, by its name; all but the last three are below `/org/:slug`. */
export type OrganizationPages = {
  readonly 'organization-overview': OrganizationFrame & {
    readonly newest: readonly PageMember[]
    /** For who may read them. */
    readonly events?: Answer<'listOrganizationEvents'>['events']
  }
  readonly 'organization-members': OrganizationFrame &
    WithTeams &
    Offset & {
      readonly members: readonly PageMember[]
      readonly total: number
      readonly search: string
      readonly role: string
      /** Teams by member id. */
      readonly teamNames: Readonly<Record<string, readonly string[]>>
      /** Nobody else owns the organization: said before anybody tries to leave. */
      readonly soleOwner: boolean
    }
  readonly 'organization-invitations': OrganizationFrame &
    WithTeams & {
      readonly invitations: Answer<'listInvitations'>
      /** Which state is shown. */
      readonly status: Answer<'listInvitations'>[number]['status']
      /** For who may invite. */
      readonly links?: Answer<'listInvitationLinks'>
      /** For who may answer them. */
      readonly requests?: Answer<'listJoinRequests'>
      /** Names of the members who sent them, by user id. */
      readonly inviters: Readonly<Record<string, string>>
      /** Where a link leads that is copied without a mail: this with the invitation's id behind it. */
      readonly acceptURL: string
    }
  readonly 'organization-teams': OrganizationFrame & {
    readonly teams: readonly {
      readonly team: Answer<'listTeams'>[number]
      readonly members: readonly PageMember[]
      readonly total: number
      /** The viewer is in it, and so cannot remove it. */
      readonly isOwn: boolean
    }[]
    /** Whom teams can be made of. */
    readonly people: readonly PageMember[]
  }
  readonly 'organization-roles': OrganizationFrame & {
    /** "What can this person do": the one who was chosen, and what follows from their roles. */
    readonly preview?: {
      readonly member: PageMember
      readonly permissions: Readonly<Record<string, readonly string[]>>
    }
    readonly people: readonly PageMember[]
  }
  readonly 'organization-settings': OrganizationFrame & {
    /** For who may change them. */
    readonly domains?: Answer<'listDomains'>
  }
  readonly 'organization-audit': OrganizationFrame &
    Answer<'listOrganizationEvents'> & {
      readonly type: string
      /** The kinds that there are, to choose from. */
      readonly types: readonly string[]
      /** Where everything can be downloaded as CSV. */
      readonly exportURL: string
    }
  readonly 'organization-danger': OrganizationFrame & {
    readonly people: readonly PageMember[]
    readonly soleOwner: boolean
    /** Whoever has none signs in again, once the session is too old to hand the organization over. */
    readonly hasPassword: boolean
    /** The session is too old to hand the organization over: the password is wanted first. */
    readonly asksPassword?: boolean
  }

  /** In place of each of them, for a member who has to verify their address first. */
  readonly 'organization-unverified': {
    readonly session: NonNullable<SessionAnswer>
    /** Its name. */
    readonly organization: string
  }

  readonly 'organization-new': {
    readonly session: NonNullable<SessionAnswer>
    /** Whether the viewer may create one; `limit` where there are too many already. */
    readonly may: 'create' | 'not-allowed' | 'limit'
    readonly limit?: number
    readonly organizations: Answer<'listOrganizations'>
    /** Whether the viewer administers the installation. */
    readonly administers?: boolean
    /** The address before the slug of one that sells, where a new one may do that at once. */
    readonly dashboard?: string
  }
  readonly 'accept-invitation': {
    readonly session: SessionAnswer
    readonly now: string
    readonly invitationId: string
    readonly proof?: string
    readonly status:
      | 'ready'
      | 'signed-out'
      | 'other-account'
      | 'unverified'
      | 'not-found'
      | 'already-member'
      | 'inviter-gone'
      | 'full'
      | 'wants-verified'
      | 'rejected'
      /** What has become of it; `used`: accepted, but the viewer is not a member. */
      | 'expired'
      | 'canceled'
      | 'used'
    /** Known to the recipient and to whoever has the proof. */
    readonly invitation?: Answer<'getInvitation'>
    /** Whether an account for the invited address can be made here. */
    readonly signUp: boolean
  }
  readonly 'join-organization': {
    readonly session: SessionAnswer
    readonly now: string
    readonly token: string
    readonly status:
      | 'ready'
      | 'signed-out'
      | 'not-found'
      | 'other-domain'
      | 'wants-verified'
      | 'already-member'
      | 'requested'
      | 'not-allowed'
      | 'full'
    readonly link?: Answer<'getInvitationLink'>
    readonly signUp: boolean
  }
}

/** The account's list of organizations, besides what every page of the account is given. */
export type AccountOrganizations = {
  readonly memberships: readonly {
    readonly organization: PageOrganization
    readonly role: string
    /** Nobody else owns it. */
    readonly soleOwner: boolean
  }[]
  readonly invitations: Answer<'listUserInvitations'>
  readonly joinable: Answer<'listJoinableOrganizations'>
  readonly may: OrganizationPages['organization-new']['may']
}
