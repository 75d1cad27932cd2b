import type { ErrorRow } from './error-text.ts'

const slug = ['slug'] as const
const domain = ['domain', 'emailDomains'] as const

/**
 * The texts of organization errors, and of errors that these forms give themselves. It is a separate table that other
 * pages do not load. `OrganizationErrors` puts it before the common one for the components below.
 */
export const organizationErrorTexts: Readonly<Record<string, ErrorRow>> = {
  // Given by forms before anything is sent
  NAME_REQUIRED: { text: 'nameMissing', fields: ['name'] },
  SLUG_REQUIRED: { text: 'slugMissing', fields: slug },
  INCOMPLETE_ADDRESSES: { text: 'emailsIncomplete', fields: ['emails'] },
  TOO_MANY_ADDRESSES: { text: 'emailsTooMany', fields: ['emails'] },

  // Organizations
  ORGANIZATION_ALREADY_EXISTS: { text: 'slugTaken', fields: slug },
  SLUG_IS_TAKEN: { text: 'slugTaken', fields: slug },
  INVALID_SLUG: { text: 'slugInvalid', fields: slug },
  INVALID_LOGO: { text: 'logoInvalid', fields: ['logo'] },
  METADATA_IS_TOO_LARGE: { text: 'metadataTooLarge', fields: ['metadata'] },
  ORGANIZATION_NOT_FOUND: { text: 'organizationGone' },
  USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION: { text: 'organizationGone' },
  YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION: { text: 'organizationGone' },
  NO_ACTIVE_ORGANIZATION: { text: 'noneActive' },
  ORGANIZATION_ID_IS_REQUIRED: { text: 'noneActive' },
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION: { text: 'createNotAllowed' },
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS: { text: 'organizationLimit' },
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION: { text: 'notAllowed' },
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION: { text: 'notAllowed' },
  YOU_ARE_NOT_ALLOWED_TO_TRANSFER_THIS_ORGANIZATION: { text: 'notAllowed' },
  YOU_ARE_NOT_ALLOWED_TO_LIST_THE_EVENTS_OF_THIS_ORGANIZATION: { text: 'notAllowed' },
  ORGANIZATION_DELETION_IS_DISABLED: { text: 'deletionOff' },
  AN_ORGANIZATION_THAT_HAS_SOLD_SOMETHING_CANNOT_BE_DELETED: { text: 'hasSold' },
  EMAIL_VERIFICATION_REQUIRED: { text: 'wantsVerified' },

  // Members and roles
  MEMBER_NOT_FOUND: { text: 'memberGone' },
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER: { text: 'notAllowed' },
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER: { text: 'notAllowed' },
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER: { text: 'onlyOwner' },
  ORGANIZATION_MEMBERSHIP_LIMIT_REACHED: { text: 'membersFull' },
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: { text: 'alreadyMember' },
  ROLE_NOT_FOUND: { text: 'roleGone' },
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE: { text: 'notAllowed' },
  YOU_ARE_NOT_ALLOWED_TO_READ_A_ROLE: { text: 'notAllowed' },
  YOU_ARE_NOT_ALLOWED_TO_LIST_A_ROLE: { text: 'notAllowed' },
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE: { text: 'notAllowed' },
  YOU_ARE_NOT_ALLOWED_TO_DELETE_A_ROLE: { text: 'notAllowed' },
  ROLE_NAME_IS_ALREADY_TAKEN: { text: 'roleNameTaken', fields: ['role'] },
  INVALID_ROLE_NAME: { text: 'roleNameInvalid', fields: ['role'] },
  CANNOT_DELETE_A_PRE_DEFINED_ROLE: { text: 'roleBuiltIn' },
  ROLE_IS_ASSIGNED_TO_MEMBERS: { text: 'roleInUse' },
  INVALID_RESOURCE: { text: 'permissionGone' },
  TOO_MANY_ROLES: { text: 'tooManyRoles' },

  // Invitations
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION: { text: 'notAllowed' },
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE: { text: 'roleTooHigh' },
  YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION: { text: 'notAllowed' },
  USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: { text: 'alreadyInvited' },
  INVITATION_LIMIT_REACHED: { text: 'invitationLimit' },
  INVITATION_NOT_FOUND: { text: 'invitationGone' },
  FAILED_TO_RETRIEVE_INVITATION: { text: 'invitationGone' },
  YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION: { text: 'otherRecipient' },
  INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION: { text: 'inviterGone' },
  NOT_AUTHENTICATED: { text: 'signedOut' },

  // Teams
  TEAM_NOT_FOUND: { text: 'teamGone' },
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS: { text: 'teamLimit' },
  YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION: { text: 'notAllowed' },
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM: { text: 'notAllowed' },
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM: { text: 'notAllowed' },
  YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION: { text: 'notAllowed' },
  YOU_CAN_NOT_ACCESS_THE_MEMBERS_OF_THIS_TEAM: { text: 'notAllowed' },
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER: { text: 'notAllowed' },
  YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER: { text: 'notAllowed' },
  UNABLE_TO_REMOVE_LAST_TEAM: { text: 'lastTeam' },
  TEAM_MEMBER_LIMIT_REACHED: { text: 'teamFull' },
  USER_IS_NOT_A_MEMBER_OF_THE_TEAM: { text: 'notInTeam' },
  YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM: { text: 'noneActiveTeam' },

  // Links, domains and requests to join
  INVITATION_LINK_NOT_FOUND: { text: 'joinLinkGone' },
  INVITATION_LINK_LIMIT_REACHED: { text: 'joinLinkLimit' },
  YOUR_EMAIL_ADDRESS_IS_NOT_OF_A_DOMAIN_THAT_MAY_JOIN: { text: 'otherDomain' },
  YOU_ARE_NOT_ALLOWED_TO_JOIN_THIS_ORGANIZATION: { text: 'joinNotAllowed' },
  YOU_HAVE_ALREADY_ASKED_TO_JOIN_THIS_ORGANIZATION: { text: 'alreadyRequested' },
  JOIN_REQUEST_NOT_FOUND: { text: 'requestGone' },
  YOU_ARE_NOT_ALLOWED_TO_ANSWER_REQUESTS_TO_JOIN: { text: 'notAllowed' },
  INVALID_DOMAIN: { text: 'domainInvalid', fields: domain },
  A_DOMAIN_OF_A_PUBLIC_MAIL_SERVICE_CANNOT_BE_CLAIMED: { text: 'domainPublic', fields: domain },
  DOMAIN_IS_ALREADY_ADDED: { text: 'domainAdded', fields: domain },
  DOMAIN_LIMIT_REACHED: { text: 'domainLimit' },
  DOMAIN_NOT_FOUND: { text: 'domainGone' },
  DOMAIN_IS_VERIFIED_BY_ANOTHER_ORGANIZATION: { text: 'domainTaken' },
  THE_DNS_RECORD_WAS_NOT_FOUND: { text: 'domainNotProven' },
}
