import { splitRoles } from '../access-control.ts'
import * as check from './checks.ts'
import { type After, type At, type Check, defineForm, type Values } from './form.ts'
import { withQuery } from './paths.ts'
import { sentPicture } from './picture-check.ts'
import { addressesIn, metadataIn, permissionsIn, tickedAfter } from './values.ts'

const settings = '/org/:slug/settings'
const members = '/org/:slug/members'
const invitations = '/org/:slug/invitations'
const teams = '/org/:slug/teams'
const roles = '/org/:slug/roles'
const danger = '/org/:slug/danger'

/** The most addresses that one call accepts. */
const mostAddresses = 50

const day = 86_400

/** A form that acts in the organization of its page, not in the active one. */
const inside = { inOrganization: true, fields: {}, kept: [] as readonly string[] }

const idOf = ({ organization }: At): string => organization?.id ?? ''

const nameAndSlug = { name: check.name, slug: check.filled('SLUG_REQUIRED') }

export const organizationCreate = defineForm({
  name: 'organization-create',
  pages: ['/organizations/new'],
  calls: ['createOrganization'],
  fields: nameAndSlug,
  kept: ['name', 'slug'],
  input: ({ name = '', slug = '' }) => ({ name: name.trim(), slug: slug.trim() }),
  after: ({ slug }, _, { paths }) => ({
    to: withQuery(`${paths.organization}/${slug}`, { done: 'organization-created' }),
  }),
})

/** Makes an organization the active one; without an id none is. */
export const organizationSwitch = defineForm({
  name: 'organization-switch',
  pages: ['/organizations/switch'],
  calls: ['setActiveOrganization'],
  fields: {},
  kept: [],
  input: ({ organizationId }) => ({ organizationId: organizationId || null }),
  after: (_, __, { callbackURL, paths }) => ({ to: callbackURL ?? paths.account }),
})

export const organizationUpdate = defineForm({
  ...inside,
  name: 'organization-update',
  pages: [settings],
  calls: ['updateOrganization'],
  fields: nameAndSlug,
  kept: ['name', 'slug'],
  input: ({ name = '', slug = '' }, at) => ({
    organizationId: idOf(at),
    data: { name: name.trim(), slug: slug.trim() },
  }),
  // With another slug the pages have another address.
  after: ({ slug }, _, { paths }) => ({
    done: 'organization-saved',
    to: withQuery(`${paths.organization}/${slug}/settings`, { done: 'organization-saved' }),
  }),
})

export const organizationLogo = defineForm({
  ...inside,
  name: 'organization-logo',
  pages: [settings],
  calls: ['uploadOrganizationLogo'],
  fields: { picture: sentPicture },
  takesFile: 'picture',
  input: (_, at) => ({ organizationId: idOf(at), file: at.file }),
  after: () => ({ done: 'organization-saved' }),
})

export const organizationLogoRemove = defineForm({
  ...inside,
  name: 'organization-logo-remove',
  pages: [settings],
  calls: ['updateOrganization'],
  input: (_, at) => ({ organizationId: idOf(at), data: { logo: null } }),
  after: () => ({ done: 'organization-saved' }),
})

export const organizationPolicy = defineForm({
  ...inside,
  name: 'organization-policy',
  pages: [settings],
  calls: ['updateOrganization'],
  input: ({ requireVerifiedEmail }, at) => ({
    organizationId: idOf(at),
    data: { requireVerifiedEmail: requireVerifiedEmail !== undefined },
  }),
  after: () => ({ done: 'organization-saved' }),
})

/** The metadata as JSON. With a script an editor of rows stands in place of the text. */
export const organizationMetadata = defineForm({
  ...inside,
  name: 'organization-metadata',
  pages: [settings],
  calls: ['updateOrganization'],
  fields: {
    metadata: (text, _, { metadata }) => ((metadata ?? metadataIn(text)) ? undefined : 'METADATA_INVALID'),
  },
  kept: ['metadata'],
  input({ metadata: text = '' }, at) {
    const metadata = at.metadata ?? metadataIn(text) ?? {}
    const isEmpty = Object.keys(metadata).length === 0
    return { organizationId: idOf(at), data: { metadata: isEmpty ? null : metadata } }
  },
  after: () => ({ done: 'organization-saved' }),
})

export const organizationDelete = defineForm({
  ...inside,
  name: 'organization-delete',
  pages: [danger],
  calls: ['deleteOrganization'],
  fields: {
    confirmation: (typed, _, { organization }) =>
      typed.trim() === organization?.slug ? undefined : 'CONFIRMATION_SLUG',
  },
  kept: ['confirmation'],
  input: (_, at) => ({ organizationId: idOf(at) }),
  after: (_, __, { paths }) => ({ to: withQuery(paths.organizations, { done: 'organization-deleted' }) }),
})

export const organizationTransfer = defineForm({
  ...inside,
  name: 'organization-transfer',
  pages: [danger],
  calls: ['transferOwnership'],
  fields: { memberId: check.filled('FIELD_REQUIRED'), password: check.renewingPassword },
  kept: ['memberId'],
  renewsSession: true,
  input: ({ memberId = '' }, at) => ({ memberId, organizationId: idOf(at) }),
  after: () => ({ done: 'ownership-transferred' }),
})

/** One choice in the row of a member, or boxes for several. */
const rolesIn = (values: Values): string[] => (values.role ? splitRoles(values.role) : tickedAfter('role.', values))

export const memberRole = defineForm({
  ...inside,
  name: 'member-role',
  pages: [members],
  calls: ['updateMemberRole'],
  fields: { role: (_, values) => (rolesIn(values).length === 0 ? 'ROLE_REQUIRED' : undefined) },
  kept: ['memberId', 'role', 'role.'],
  input: (values, at) => ({ memberId: values.memberId ?? '', role: rolesIn(values), organizationId: idOf(at) }),
  after: () => ({ done: 'member-updated' }),
})

export const memberRemove = defineForm({
  ...inside,
  name: 'member-remove',
  pages: [members],
  calls: ['removeMember'],
  kept: ['memberId'],
  input: ({ memberId = '' }, at) => ({ memberIdOrEmail: memberId, organizationId: idOf(at) }),
  after: () => ({ done: 'member-removed' }),
})

/** Invites each address of a field. Those that are refused stay in the field with their reasons. */
export const inviteMembers = defineForm({
  ...inside,
  name: 'invite-members',
  pages: [invitations],
  calls: ['inviteMembers'],
  fields: {
    emails(text, _, { isScripted }) {
      const addresses = addressesIn(text)
      if (addresses.length === 0) return 'EMAIL_REQUIRED'
      if (addresses.length > mostAddresses) return 'TOO_MANY_ADDRESSES'
      // A script marks each of them. Without one the others are sent.
      return isScripted && !addresses.every(check.isAddress) ? 'INCOMPLETE_ADDRESSES' : undefined
    },
    role: check.filled('ROLE_REQUIRED'),
    teamId: check.unchecked,
  },
  kept: ['emails', 'role', 'teamId'],
  instead: (values) => (addressesIn(values.emails ?? '').some(check.isAddress) ? undefined : invited(values, [])),
  input: ({ emails = '', role = '', teamId }, at) => ({
    emails: addressesIn(emails).filter(check.isAddress),
    role,
    organizationId: idOf(at),
    ...(teamId && { teamId }),
  }),
  after: ({ results }, values, at) =>
    invited(
      values,
      results.flatMap(({ email, error }) => (error ? [[email, error.code] as const] : [])),
      at.page,
    ),
})

/** If all were invited, the page says how many; otherwise it names what was refused. */
function invited(values: Values, refusals: readonly (readonly [string, string])[], page = ''): After {
  const { emails = '', role = '', teamId } = values
  const addresses = addressesIn(emails)
  const malformed = addresses.filter((address) => !check.isAddress(address))
  const refused = [...malformed.map((address) => [address, 'INVALID_EMAIL'] as const), ...refusals]
  const done = 'members-invited'
  const count = String(addresses.length - refused.length)
  if (refused.length === 0) return { done, values: { count }, to: withQuery(page, { done, count }) }
  const left = { count, emails: refused.map(([address]) => address).join('\n'), role, ...(teamId && { teamId }) }
  return { done, values: { ...Object.fromEntries(refused), ...left }, stays: true }
}

/** Sends the mail of an invitation once more, as it was. */
export const invitationResend = defineForm({
  ...inside,
  name: 'invitation-resend',
  pages: [invitations],
  calls: ['inviteMember'],
  kept: ['invitationId'],
  usesInvitation: true,
  input(_, at) {
    const { email = '', role = '', teamId } = at.invitation ?? {}
    const ids = teamId?.split(',').filter((id) => id !== '') ?? []
    return { email, role, organizationId: idOf(at), resend: true, ...(ids.length > 0 && { teamId: ids }) }
  },
  after: () => ({ done: 'invitation-resent' }),
})

export const invitationCancel = defineForm({
  ...inside,
  name: 'invitation-cancel',
  pages: [invitations],
  calls: ['cancelInvitation'],
  kept: ['invitationId'],
  input: ({ invitationId = '' }) => ({ invitationId }),
  after: () => ({ done: 'invitation-canceled' }),
})

/** The whole number in a field; null for an empty one. */
const countIn = (text = ''): number | null => (text.trim() === '' ? null : Number(text))

export const linkCreate = defineForm({
  ...inside,
  name: 'link-create',
  pages: [invitations],
  calls: ['createInvitationLink'],
  fields: { maxUses: check.count, expiresIn: check.count, emailDomains: check.unchecked },
  kept: ['role', 'teamId', 'maxUses', 'expiresIn', 'emailDomains', 'requiresApproval'],
  input({ role, teamId, maxUses, expiresIn, emailDomains = '', requiresApproval }, at) {
    const days = countIn(expiresIn)
    return {
      organizationId: idOf(at),
      ...(role && { role }),
      ...(teamId && { teamId }),
      maxUses: countIn(maxUses),
      expiresIn: days === null ? null : days * day,
      emailDomains: addressesIn(emailDomains),
      requiresApproval: requiresApproval !== undefined,
    }
  },
  after: () => ({ done: 'link-created' }),
})

export const linkRevoke = defineForm({
  ...inside,
  name: 'link-revoke',
  pages: [invitations],
  calls: ['revokeInvitationLink'],
  input: ({ linkId = '' }, at) => ({ linkId, organizationId: idOf(at) }),
  after: () => ({ done: 'link-revoked' }),
})

const answersRequest = {
  ...inside,
  pages: [invitations],
  kept: ['requestId'],
  input: ({ requestId = '' }: Values, at: At) => ({ requestId, organizationId: idOf(at) }),
}

export const joinApprove = defineForm({
  ...answersRequest,
  name: 'join-approve',
  calls: ['approveJoinRequest'],
  after: () => ({ done: 'join-approved' }),
})

export const joinDeny = defineForm({
  ...answersRequest,
  name: 'join-deny',
  calls: ['denyJoinRequest'],
  after: () => ({ done: 'join-denied' }),
})

export const teamCreate = defineForm({
  ...inside,
  name: 'team-create',
  pages: [teams],
  calls: ['createTeam'],
  fields: { name: check.name },
  kept: ['name'],
  input: ({ name = '' }, at) => ({ name: name.trim(), organizationId: idOf(at) }),
  after: () => ({ done: 'team-saved' }),
})

export const teamRename = defineForm({
  ...inside,
  name: 'team-rename',
  pages: [teams],
  calls: ['updateTeam'],
  fields: { name: check.name },
  kept: ['teamId', 'name'],
  input: ({ teamId = '', name = '' }, at) => ({ teamId, data: { name: name.trim(), organizationId: idOf(at) } }),
  after: () => ({ done: 'team-saved' }),
})

export const teamRemove = defineForm({
  ...inside,
  name: 'team-remove',
  pages: [teams],
  calls: ['removeTeam'],
  kept: ['teamId'],
  input: ({ teamId = '' }, at) => ({ teamId, organizationId: idOf(at) }),
  after: () => ({ done: 'team-removed' }),
})

const aboutTeamMember = {
  ...inside,
  pages: [teams],
  kept: ['teamId', 'userId'],
  input: ({ teamId = '', userId = '' }: Values, at: At) => ({ teamId, userId, organizationId: idOf(at) }),
}

export const teamMemberAdd = defineForm({
  ...aboutTeamMember,
  name: 'team-member-add',
  calls: ['addTeamMember'],
  fields: { userId: check.filled('FIELD_REQUIRED') },
  after: () => ({ done: 'team-saved' }),
})

export const teamMemberRemove = defineForm({
  ...aboutTeamMember,
  name: 'team-member-remove',
  calls: ['removeTeamMember'],
  after: () => ({ done: 'team-saved' }),
})

export const roleCreate = defineForm({
  ...inside,
  name: 'role-create',
  pages: [roles],
  calls: ['createRole'],
  fields: { role: check.filled('FIELD_REQUIRED') },
  kept: ['role', 'permission.'],
  input: (values, at) => ({
    role: values.role?.trim() ?? '',
    permission: permissionsIn(values),
    organizationId: idOf(at),
  }),
  after: () => ({ done: 'role-saved' }),
})

export const roleUpdate = defineForm({
  ...inside,
  name: 'role-update',
  pages: [roles],
  calls: ['updateRole'],
  fields: { role: check.unchecked },
  kept: ['roleId', 'role', 'permission.'],
  input(values, at) {
    const roleName = values.role?.trim()
    return {
      roleId: values.roleId ?? '',
      organizationId: idOf(at),
      data: { permission: permissionsIn(values), ...(roleName && { roleName }) },
    }
  },
  after: () => ({ done: 'role-saved' }),
})

export const roleDelete = defineForm({
  ...inside,
  name: 'role-delete',
  pages: [roles],
  calls: ['deleteRole'],
  kept: ['roleId'],
  input: ({ roleId = '' }, at) => ({ roleId, organizationId: idOf(at) }),
  after: () => ({ done: 'role-removed' }),
})

const modes = ['auto', 'request', 'off'] as const

/** How a domain admits people. Only a form that is not ours sends another value. */
const joinMode: Check = (_, values) =>
  values.joinMode === undefined || modeIn(values.joinMode) ? undefined : 'VALIDATION_ERROR'

const modeIn = (text: string | undefined) => modes.find((mode) => mode === text)

export const domainAdd = defineForm({
  ...inside,
  name: 'domain-add',
  pages: [settings],
  calls: ['addDomain'],
  fields: { domain: check.filled('FIELD_REQUIRED'), joinMode },
  kept: ['domain', 'joinMode'],
  input: ({ domain = '', joinMode }, at) => {
    const mode = modeIn(joinMode)
    return { domain: domain.trim(), organizationId: idOf(at), ...(mode && { joinMode: mode }) }
  },
  after: () => ({ done: 'domain-saved' }),
})

export const domainVerify = defineForm({
  ...inside,
  name: 'domain-verify',
  pages: [settings],
  calls: ['verifyDomain'],
  kept: ['domainId'],
  input: ({ domainId = '' }, at) => ({ domainId, organizationId: idOf(at) }),
  after: () => ({ done: 'domain-verified' }),
})

export const domainUpdate = defineForm({
  ...inside,
  name: 'domain-update',
  pages: [settings],
  calls: ['updateDomain'],
  fields: { joinMode },
  kept: ['domainId', 'joinMode'],
  input: ({ domainId = '', joinMode }, at) => ({
    domainId,
    joinMode: modeIn(joinMode) ?? 'off',
    organizationId: idOf(at),
  }),
  after: () => ({ done: 'domain-saved' }),
})

export const domainRemove = defineForm({
  ...inside,
  name: 'domain-remove',
  pages: [settings],
  calls: ['removeDomain'],
  kept: ['domainId'],
  input: ({ domainId = '' }, at) => ({ domainId, organizationId: idOf(at) }),
  after: () => ({ done: 'domain-removed' }),
})
