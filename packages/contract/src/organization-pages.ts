import type { Brand } from './brand/brand.ts'
import type { Answer, SessionAnswer } from './types.ts'

/** The data of the organization pages, and their forms; a part of `pages.ts`. */

/**
 * Forms of the organization pages. Forms below `/org/:slug` act in that organization, whichever is active. The text at
 * each name lists its fields.
 */
export type OrganizationForm =
  /** `name`, `slug`. */
  | 'organization-create'
  /** `organizationId`, empty for none; `to`, the page to go on to. Posted to `/organizations/switch`. */
  | 'organization-switch'
  /** `name`, `slug`. */
  | 'organization-update'
  /** `picture`, a file. */
  | 'organization-logo'
  | 'organization-logo-remove'
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
  /** `memberId`, and a field `role.<name>` for each ticked role. */
  | 'member-role'
  /** `memberId`. */
  | 'member-remove'
  /** `emails`: any number, separated by blanks, commas or lines; `role`, `teamId`. */
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
  /** `role`, and a field `permission.<resource>.<action>` for each ticked permission. */
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
  /** `organizationId`: joins by the domain of the user's address. */
  | 'organization-join'

/** Success messages of these forms. */
export type OrganizationDone =
  | 'organization-created'
  | 'organization-saved'
  | 'organization-left'
  | 'organization-deleted'
  | 'ownership-transferred'
  | 'member-updated'
  | 'member-removed'
  /** `values` has a member per address without an invitation: the address → a code; and `count` of the invited ones. */
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

/** A role that members can hold: a built-in one, or a custom one, which has an id. */
export type PageRole = {
  readonly id?: string
  readonly name: string
  readonly permissions: Readonly<Record<string, readonly string[]>>
}

/** The viewer of an organization's pages, and the available features. */
export type OrganizationFrame = {
  readonly session: NonNullable<SessionAnswer>
  /** The server's time, for "3 days ago". */
  readonly now: string
  /** Whether the viewer administers the installation. */
  readonly administers?: boolean
  /** The link to the dashboard, if the organization sells and the viewer may act there. */
  readonly dashboard?: string
  /** Whether the viewer may sell once the organization is approved; its dashboard says what is missing until then. */
  readonly waitsForApproval?: boolean
  /** Whether what it sells is paid without money. */
  readonly sandbox?: boolean
  readonly organization: PageOrganization
  /** The viewer's own membership and its permissions. */
  readonly member: Answer<'getActiveMember'>
  readonly isOwner: boolean
  /** For the switcher. */
  readonly organizations: Answer<'listOrganizations'>
  readonly roles: readonly PageRole[]
  /** The creator's role, which holds everything. */
  readonly ownerRole: string
  /** Every resource and action for custom roles. */
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

/** The teams of a page with a choice of team. */
type WithTeams = { readonly teams: Answer<'listTeams'> }

type Offset = { readonly offset: number; readonly limit: number }

/** The data of each organization page, by name; all but the last three are below `/org/:slug`. */
export type OrganizationPages = {
  readonly 'organization-overview': OrganizationFrame & {
    readonly newest: readonly PageMember[]
    /** Present if the viewer may read them. */
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
      /** Whether the viewer is the only owner; the page says so before they try to leave. */
      readonly soleOwner: boolean
    }
  readonly 'organization-invitations': OrganizationFrame &
    WithTeams & {
      readonly invitations: Answer<'listInvitations'>
      /** The selected state. */
      readonly status: Answer<'listInvitations'>[number]['status']
      /** Present if the viewer may invite. */
      readonly links?: Answer<'listInvitationLinks'>
      /** Present if the viewer may answer them. */
      readonly requests?: Answer<'listJoinRequests'>
      /** Names of the senders, by user id. */
      readonly inviters: Readonly<Record<string, string>>
      /** The prefix of a link to copy instead of a mail; the invitation's id follows it. */
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
    /** Candidates for teams. */
    readonly people: readonly PageMember[]
  }
  readonly 'organization-roles': OrganizationFrame & {
    /** "What can this person do": the chosen member, and the permissions of their roles. */
    readonly preview?: {
      readonly member: PageMember
      readonly permissions: Readonly<Record<string, readonly string[]>>
    }
    readonly people: readonly PageMember[]
  }
  readonly 'organization-settings': OrganizationFrame & {
    /** Present if the viewer may change them. */
    readonly domains?: Answer<'listDomains'>
  }
  readonly 'organization-audit': OrganizationFrame &
    Answer<'listOrganizationEvents'> & {
      readonly type: string
      /** The available kinds, for the filter. */
      readonly types: readonly string[]
      /** The address of the complete CSV export. */
      readonly exportURL: string
    }
  readonly 'organization-danger': OrganizationFrame & {
    readonly people: readonly PageMember[]
    readonly soleOwner: boolean
    /** A user without a password signs in again instead, if the session is too old to transfer ownership. */
    readonly hasPassword: boolean
    /** The session is too old to transfer ownership: the page asks for the password first. */
    readonly asksPassword?: boolean
    /** It has sold something, so it cannot be deleted. */
    readonly hasSold?: boolean
    /** What the organization has bought, which ends with it; only for owners. */
    readonly purchases?: Answer<'previewOrganizationDeletion'>['purchases']
  }

  /** Shown instead of each of them to a member who must verify their address first. */
  readonly 'organization-unverified': {
    readonly session: NonNullable<SessionAnswer>
    /** The organization's name. */
    readonly organization: string
  }

  readonly 'organization-new': {
    readonly session: NonNullable<SessionAnswer>
    /** Whether the viewer may create one; `limit` if they have too many already. */
    readonly may: 'create' | 'not-allowed' | 'limit'
    readonly limit?: number
    readonly organizations: Answer<'listOrganizations'>
    /** Whether the viewer administers the installation. */
    readonly administers?: boolean
    /** The address before the slug, if a new organization may sell at once. */
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
      /** Its state; `used`: accepted, but the viewer is not a member. */
      | 'expired'
      | 'canceled'
      | 'used'
    /** Present for the recipient and for the holder of the proof. */
    readonly invitation?: Answer<'getInvitation'>
    /** The look of its organization. */
    readonly brand?: Brand
    /** Whether the invited address can sign up here. */
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
    /** The look of its organization. */
    readonly brand?: Brand
    readonly signUp: boolean
  }
}

/** The account's organizations, in addition to the data of every account page. */
export type AccountOrganizations = {
  readonly memberships: readonly {
    readonly organization: PageOrganization
    readonly role: string
    /** Whether the user is its only owner. */
    readonly soleOwner: boolean
  }[]
  readonly invitations: Answer<'listUserInvitations'>
  readonly joinable: Answer<'listJoinableOrganizations'>
  readonly may: OrganizationPages['organization-new']['may']
}
