import { splitRoles } from '@tollgate/contract/calls'
import { type formRows, isAddress, withQuery } from '@tollgate/contract/forms'
import type { OrganizationForm, PageDone } from '@tollgate/contract/pages'
import { TollgateError } from '../foundation/error.ts'
import { membersOf } from '../foundation/proof/proven.ts'
import {
  acting,
  done,
  type Form,
  FormRefused,
  form,
  nameIn,
  type Outcome,
  renewSession,
  required,
  type Values,
} from './form.ts'
import { requireOrganization } from './organization-pages.ts'
import type { Visit } from './visit.ts'

const settings = '/org/:slug/settings'
const members = '/org/:slug/members'
const invitations = '/org/:slug/invitations'
const teams = '/org/:slug/teams'
const roles = '/org/:slug/roles'
const danger = '/org/:slug/danger'
const ownList = '/account/organizations'

/** Maximum number of addresses per submission. */
const mostAddresses = 50

const day = 86_400

/**
 * Forms of the organization pages. Each acts in the organization of the URL, not in the active one. Non-members get
 * the 404 that the pages give.
 */
export const organizationForms: Readonly<Record<Exclude<OrganizationForm, keyof typeof formRows>, Form>> = {
  'organization-create': form(['/organizations/new'], ['name', 'slug', 'logo'], async (visit, values) => {
    const logo = values.logo?.trim()
    const { slug } = await visit.call('createOrganization', {
      body: { ...nameAndSlugIn(values), ...(logo && { logo }) },
    })
    return done(`/org/${slug}`, 'organization-created')
  }),

  'organization-switch': form(['/organizations/switch'], [], async (visit, { organizationId = '', to }) => {
    await visit.call('setActiveOrganization', { body: { organizationId: organizationId || null } })
    return { to: visit.safeTarget(to) ?? '/account' }
  }),

  'organization-update': form([settings], ['name', 'slug', 'logo'], async (visit, values) => {
    const { logo } = values
    const data = { ...nameAndSlugIn(values), ...(logo !== undefined && { logo: logo.trim() || null }) }
    const { id: organizationId } = await requireOrganization(visit)
    const { slug } = await visit.call('updateOrganization', { body: { organizationId, data } })
    return done(`/org/${slug}/settings`, 'organization-saved')
  }),

  'organization-policy': act(settings, 'organization-saved', [], (visit, values, organizationId) => {
    const data = { requireVerifiedEmail: values.requireVerifiedEmail !== undefined }
    return visit.call('updateOrganization', { body: { organizationId, data } })
  }),

  'organization-metadata': act(settings, 'organization-saved', ['metadata'], (visit, values, organizationId) =>
    visit.call('updateOrganization', { body: { organizationId, data: { metadata: metadataIn(values) } } }),
  ),

  'organization-leave': form([danger, members, ownList], ['organizationId'], async (visit, { organizationId = '' }) => {
    await visit.call('leaveOrganization', { body: { organizationId } })
    return done(ownList, 'organization-left')
  }),

  'organization-delete': form([danger], ['confirmation'], async (visit, { confirmation = '' }) => {
    const { id, slug } = await requireOrganization(visit)
    if (confirmation.trim() !== slug) throw new FormRefused('CONFIRMATION_SLUG')
    await visit.call('deleteOrganization', { body: { organizationId: id } })
    return done(ownList, 'organization-deleted')
  }),

  'organization-transfer': act(
    danger,
    'ownership-transferred',
    ['memberId'],
    async (visit, { memberId = '', password }, organizationId) => {
      await renewSession(visit, password)
      await visit.call('transferOwnership', { body: { memberId, organizationId } })
    },
  ),

  'member-role': act(members, 'member-updated', ['memberId', 'role', 'role.'], (visit, values, organizationId) => {
    // One choice in the row, or boxes for several.
    const role = values.role ? splitRoles(values.role) : ticked(values, 'role.')
    if (role.length === 0) throw new FormRefused('ROLE_REQUIRED')
    return visit.call('updateMemberRole', { body: { memberId: values.memberId ?? '', role, organizationId } })
  }),

  'member-remove': act(members, 'member-removed', ['memberId'], (visit, { memberId = '' }, organizationId) =>
    visit.call('removeMember', { body: { memberIdOrEmail: memberId, organizationId } }),
  ),

  'invite-members': form([invitations], ['emails', 'role', 'teamId'], inviteMembers),

  'invitation-resend': act(
    invitations,
    'invitation-resent',
    ['invitationId'],
    async (visit, { invitationId }, organizationId) => {
      const listed = await visit.call('listInvitations', { query: { organizationId, status: 'pending', limit: 200 } })
      const found = listed.find(({ id }) => id === invitationId)
      if (!found) throw new TollgateError('INVITATION_NOT_FOUND')
      const { email, role } = found
      const teamId = found.teamId?.split(',').filter((id) => id !== '') ?? []
      const body = { email, role, organizationId, resend: true, ...(teamId.length > 0 && { teamId }) }
      await visit.call('inviteMember', { body })
    },
  ),

  'invitation-cancel': act(invitations, 'invitation-canceled', ['invitationId'], (visit, { invitationId = '' }) =>
    visit.call('cancelInvitation', { body: { invitationId } }),
  ),

  'link-create': act(
    invitations,
    'link-created',
    ['role', 'teamId', 'maxUses', 'expiresIn', 'emailDomains', 'requiresApproval'],
    (visit, values, organizationId) => {
      const { role, teamId, emailDomains = '', requiresApproval } = values
      const days = countIn(values.expiresIn)
      return visit.call('createInvitationLink', {
        body: {
          organizationId,
          ...(role && { role }),
          ...(teamId && { teamId }),
          maxUses: countIn(values.maxUses),
          expiresIn: days === null ? null : days * day,
          emailDomains: wordsIn(emailDomains),
          requiresApproval: requiresApproval !== undefined,
        },
      })
    },
  ),

  'link-revoke': act(invitations, 'link-revoked', [], (visit, { linkId = '' }, organizationId) =>
    visit.call('revokeInvitationLink', { body: { linkId, organizationId } }),
  ),

  'join-approve': act(invitations, 'join-approved', ['requestId'], (visit, { requestId = '' }, organizationId) =>
    visit.call('approveJoinRequest', { body: { requestId, organizationId } }),
  ),

  'join-deny': act(invitations, 'join-denied', ['requestId'], (visit, { requestId = '' }, organizationId) =>
    visit.call('denyJoinRequest', { body: { requestId, organizationId } }),
  ),

  'team-create': act(teams, 'team-saved', ['name'], (visit, values, organizationId) =>
    visit.call('createTeam', { body: { name: nameIn(values), organizationId } }),
  ),

  'team-rename': act(teams, 'team-saved', ['teamId', 'name'], (visit, values, organizationId) => {
    const data = { name: nameIn(values), organizationId }
    return visit.call('updateTeam', { body: { teamId: values.teamId ?? '', data } })
  }),

  'team-remove': act(teams, 'team-removed', ['teamId'], (visit, { teamId = '' }, organizationId) =>
    visit.call('removeTeam', { body: { teamId, organizationId } }),
  ),

  'team-member-add': act(
    teams,
    'team-saved',
    ['teamId', 'userId'],
    (visit, { teamId = '', userId = '' }, organizationId) =>
      visit.call('addTeamMember', { body: { teamId, userId, organizationId } }),
  ),

  'team-member-remove': act(
    teams,
    'team-saved',
    ['teamId', 'userId'],
    (visit, { teamId = '', userId = '' }, organizationId) =>
      visit.call('removeTeamMember', { body: { teamId, userId, organizationId } }),
  ),

  'role-create': act(roles, 'role-saved', ['role', 'permission.'], (visit, values, organizationId) => {
    const role = values.role?.trim() ?? ''
    return visit.call('createRole', { body: { role, permission: permissionsIn(values), organizationId } })
  }),

  'role-update': act(roles, 'role-saved', ['roleId', 'role', 'permission.'], (visit, values, organizationId) => {
    const roleName = values.role?.trim()
    const data = { permission: permissionsIn(values), ...(roleName && { roleName }) }
    return visit.call('updateRole', { body: { roleId: values.roleId ?? '', organizationId, data } })
  }),

  'role-delete': act(roles, 'role-removed', ['roleId'], (visit, { roleId = '' }, organizationId) =>
    visit.call('deleteRole', { body: { roleId, organizationId } }),
  ),

  'domain-add': act(
    settings,
    'domain-saved',
    ['domain', 'joinMode'],
    (visit, { domain = '', joinMode }, organizationId) => {
      const body = { domain: domain.trim(), organizationId, ...(joinMode && { joinMode: modeIn(joinMode) }) }
      return visit.call('addDomain', { body })
    },
  ),

  'domain-verify': act(settings, 'domain-verified', ['domainId'], (visit, { domainId = '' }, organizationId) =>
    visit.call('verifyDomain', { body: { domainId, organizationId } }),
  ),

  'domain-update': act(
    settings,
    'domain-saved',
    ['domainId', 'joinMode'],
    (visit, { domainId = '', joinMode }, organizationId) =>
      visit.call('updateDomain', { body: { domainId, joinMode: modeIn(joinMode), organizationId } }),
  ),

  'domain-remove': act(settings, 'domain-removed', ['domainId'], (visit, { domainId = '' }, organizationId) =>
    visit.call('removeDomain', { body: { domainId, organizationId } }),
  ),
}

/** A form that acts in the organization of its page and returns to the page. */
function act(
  page: string,
  what: PageDone,
  kept: readonly string[],
  call: (visit: Visit, values: Values, organizationId: string) => Promise<unknown>,
): Form {
  return acting(page, what, kept, async (visit, values) => {
    const { id } = await requireOrganization(visit)
    await call(visit, values, id)
  })
}

/** The name and the slug of an organization. */
const nameAndSlugIn = (values: Values) => ({
  name: nameIn(values),
  slug: required(values.slug?.trim(), 'SLUG_REQUIRED'),
})

/**
 * Invites each address of a field separately. If all succeed, the page shows how many; otherwise it keeps the refused
 * addresses in the field with their reasons.
 */
async function inviteMembers(visit: Visit, values: Values): Promise<Outcome> {
  const { id: organizationId } = await requireOrganization(visit)
  const { teamId } = values
  const emails = [...new Set(wordsIn(values.emails ?? ''))]
  if (emails.length === 0) throw new FormRefused('EMAIL_REQUIRED')
  if (emails.length > mostAddresses) throw new FormRefused('TOO_MANY_ADDRESSES')
  const role = required(values.role, 'ROLE_REQUIRED')

  const refused = new Map<string, string>()
  for (const email of emails) if (!isAddress(email)) refused.set(email, 'INVALID_EMAIL')
  const sent = emails.filter((email) => !refused.has(email))
  if (sent.length > 0) {
    const body = { emails: sent, role, organizationId, ...(teamId && { teamId }) }
    const { results } = await visit.call('inviteMembers', { body })
    for (const { email, error } of results) if (error) refused.set(email, error.code)
  }

  const count = String(emails.length - refused.size)
  if (refused.size === 0) return { to: withQuery(visit.url.pathname, { done: 'members-invited', count }) }
  const kept = { count, emails: [...refused.keys()].join('\n'), role, ...(teamId && { teamId }) }
  return { state: { done: 'members-invited', values: { ...Object.fromEntries(refused), ...kept } } }
}

/** The words of a text, separated by white space, commas or semicolons. */
const wordsIn = (text: string): string[] => text.split(/[\s,;]+/).filter((word) => word !== '')

/** The names of the ticked boxes with a prefix, without that prefix. */
const ticked = (values: Values, prefix: string): string[] =>
  Object.keys(values)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))

/** Actions by resource, from the ticked boxes. */
function permissionsIn(values: Values): Record<string, string[]> {
  const permissions = new Map<string, string[]>()
  for (const name of ticked(values, 'permission.')) {
    const dot = name.indexOf('.')
    const [resource, action] = [name.slice(0, dot), name.slice(dot + 1)]
    permissions.set(resource, [...(permissions.get(resource) ?? []), action])
  }
  return Object.fromEntries(permissions)
}

/** The JSON object in the field; null for an empty field. */
function metadataIn({ metadata = '' }: Values): Readonly<Record<string, unknown>> | null {
  if (metadata.trim() === '') return null
  try {
    const value: unknown = JSON.parse(metadata)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return membersOf(value)
  } catch {
    // No JSON: refused as any other value.
  }
  throw new FormRefused('METADATA_INVALID')
}

/** The positive whole number in a field; null for an empty field. */
function countIn(text = ''): number | null {
  if (text.trim() === '') return null
  if (!/^[1-9]\d{0,4}$/.test(text.trim())) throw new FormRefused('INVALID_NUMBER')
  return Number(text)
}

/** The join mode of a domain; refuses unknown values. */
function modeIn(text: string | undefined): 'auto' | 'request' | 'off' {
  if (text === 'auto' || text === 'request' || text === 'off') return text
  throw new TollgateError('VALIDATION_ERROR')
}
