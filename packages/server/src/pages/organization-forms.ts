import type { OrganizationForm, PageDone } from '@tollgate/contract/pages'
import type { Body } from '@tollgate/contract/types'
import { TollgateError } from '../foundation/error.ts'
import { membersOf } from '../foundation/proof/proven.ts'
import { done, type Form, type Outcome, type Posted, withQuery } from './form.ts'
import type { JoiningForm } from './joining-forms.ts'
import { requireOrganization } from './organization-pages.ts'
import { isAddress } from './page-data.ts'
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
export const organizationForms: Readonly<Record<Exclude<OrganizationForm, JoiningForm>, Form>> = {
  'organization-create': {
    pages: ['/organizations/new'],
    kept: ['name', 'slug', 'logo'],
    submit: async ({ visit, values: { name = '', slug = '', logo = '' } }) => {
      if (name.trim() === '') return { refused: 'NAME_REQUIRED' }
      const body = { name: name.trim(), slug: slug.trim(), ...(logo.trim() !== '' && { logo: logo.trim() }) }
      if (body.slug === '') return { refused: 'SLUG_REQUIRED' }
      const created = await visit.call('createOrganization', { body })
      return done(`/org/${created?.slug ?? ''}`, 'organization-created')
    },
  },

  'organization-switch': {
    pages: ['/organizations/switch'],
    kept: [],
    submit: async ({ visit, values: { organizationId = '', to } }) => {
      await visit.call('setActiveOrganization', { body: { organizationId: organizationId || null } })
      return { to: visit.safeTarget(to) ?? '/account' }
    },
  },

  'organization-update': {
    pages: [settings],
    kept: ['name', 'slug', 'logo'],
    submit: async ({ visit, values: { name = '', slug = '', logo } }) => {
      if (name.trim() === '') return { refused: 'NAME_REQUIRED' }
      if (slug.trim() === '') return { refused: 'SLUG_REQUIRED' }
      const data = {
        name: name.trim(),
        slug: slug.trim(),
        ...(logo !== undefined && { logo: logo.trim() || null }),
      }
      const changed = await update(visit, data)
      return done(`/org/${changed?.slug ?? ''}/settings`, 'organization-saved')
    },
  },

  'organization-policy': {
    pages: [settings],
    kept: [],
    submit: async ({ visit, values: { requireVerifiedEmail } }) => {
      await update(visit, { requireVerifiedEmail: requireVerifiedEmail !== undefined })
      return done(visit.url.pathname, 'organization-saved')
    },
  },

  'organization-metadata': {
    pages: [settings],
    kept: ['metadata'],
    submit: async ({ visit, values: { metadata = '' } }) => {
      const read = readMetadata(metadata)
      if (read === undefined) return { refused: 'METADATA_INVALID' }
      await update(visit, { metadata: read })
      return done(visit.url.pathname, 'organization-saved')
    },
  },

  'organization-leave': {
    pages: [danger, members, ownList],
    kept: ['organizationId'],
    submit: async ({ visit, values: { organizationId = '' } }) => {
      await visit.call('leaveOrganization', { body: { organizationId } })
      return done(ownList, 'organization-left')
    },
  },

  'organization-delete': {
    pages: [danger],
    kept: ['confirmation'],
    submit: async ({ visit, values: { confirmation = '' } }) => {
      const { id, slug } = await requireOrganization(visit)
      if (confirmation.trim() !== slug) return { refused: 'CONFIRMATION_SLUG' }
      await visit.call('deleteOrganization', { body: { organizationId: id } })
      return done(ownList, 'organization-deleted')
    },
  },

  'organization-transfer': {
    pages: [danger],
    kept: ['memberId'],
    submit: async ({ visit, values: { memberId = '', password } }) => {
      const { id: organizationId } = await requireOrganization(visit)
      if (password === '') return { refused: 'PASSWORD_REQUIRED' }
      // The password field appears when the session is not fresh; the right password renews it.
      if (password !== undefined) await visit.call('verifyPassword', { body: { password } })
      await visit.call('transferOwnership', { body: { memberId, organizationId } })
      return done(visit.url.pathname, 'ownership-transferred')
    },
  },

  'member-role': {
    pages: [members],
    kept: ['memberId', 'role.'],
    submit: async ({ visit, values }) => {
      const role = ticked(values, 'role.')
      if (role.length === 0) return { refused: 'ROLE_REQUIRED' }
      return act(visit, 'member-updated', (organizationId) =>
        visit.call('updateMemberRole', { body: { memberId: values.memberId ?? '', role, organizationId } }),
      )
    },
  },

  'member-remove': {
    pages: [members],
    kept: ['memberId'],
    submit: ({ visit, values: { memberId = '' } }) =>
      act(visit, 'member-removed', (organizationId) =>
        visit.call('removeMember', { body: { memberIdOrEmail: memberId, organizationId } }),
      ),
  },

  'invite-members': { pages: [invitations], kept: ['emails', 'role', 'teamId'], submit: inviteMembers },

  'invitation-resend': {
    pages: [invitations],
    kept: ['invitationId'],
    submit: async ({ visit, values: { invitationId = '' } }) => {
      const { id: organizationId } = await requireOrganization(visit)
      const listed = await visit.call('listInvitations', { query: { organizationId, status: 'pending', limit: 200 } })
      const found = listed?.find(({ id }) => id === invitationId)
      if (!found) throw new TollgateError('INVITATION_NOT_FOUND')
      const { email, role, teamId } = found
      const teamIds = teamId?.split(',').filter((id) => id !== '') ?? []
      await visit.call('inviteMember', {
        body: { email, role, organizationId, resend: true, ...(teamIds.length > 0 && { teamId: teamIds }) },
      })
      return done(visit.url.pathname, 'invitation-resent')
    },
  },

  'invitation-cancel': {
    pages: [invitations],
    kept: ['invitationId'],
    submit: ({ visit, values: { invitationId = '' } }) =>
      act(visit, 'invitation-canceled', () => visit.call('cancelInvitation', { body: { invitationId } })),
  },

  'link-create': {
    pages: [invitations],
    kept: ['role', 'teamId', 'maxUses', 'expiresIn', 'emailDomains', 'requiresApproval'],
    submit: async ({ visit, values }) => {
      const { role, teamId, emailDomains = '', requiresApproval } = values
      const maxUses = countIn(values.maxUses)
      const days = countIn(values.expiresIn)
      if (maxUses === undefined || days === undefined) return { refused: 'INVALID_NUMBER' }
      return act(visit, 'link-created', (organizationId) =>
        visit.call('createInvitationLink', {
          body: {
            organizationId,
            ...(role && { role }),
            ...(teamId && { teamId }),
            maxUses,
            expiresIn: days === null ? null : days * day,
            emailDomains: wordsIn(emailDomains),
            requiresApproval: requiresApproval !== undefined,
          },
        }),
      )
    },
  },

  'link-revoke': {
    pages: [invitations],
    kept: [],
    submit: ({ visit, values: { linkId = '' } }) =>
      act(visit, 'link-revoked', (organizationId) =>
        visit.call('revokeInvitationLink', { body: { linkId, organizationId } }),
      ),
  },

  'join-approve': {
    pages: [invitations],
    kept: ['requestId'],
    submit: ({ visit, values: { requestId = '' } }) =>
      act(visit, 'join-approved', (organizationId) =>
        visit.call('approveJoinRequest', { body: { requestId, organizationId } }),
      ),
  },

  'join-deny': {
    pages: [invitations],
    kept: ['requestId'],
    submit: ({ visit, values: { requestId = '' } }) =>
      act(visit, 'join-denied', (organizationId) =>
        visit.call('denyJoinRequest', { body: { requestId, organizationId } }),
      ),
  },

  'team-create': {
    pages: [teams],
    kept: ['name'],
    submit: async ({ visit, values: { name = '' } }) => {
      if (name.trim() === '') return { refused: 'NAME_REQUIRED' }
      return act(visit, 'team-saved', (organizationId) =>
        visit.call('createTeam', { body: { name: name.trim(), organizationId } }),
      )
    },
  },

  'team-rename': {
    pages: [teams],
    kept: ['teamId', 'name'],
    submit: async ({ visit, values: { teamId = '', name = '' } }) => {
      if (name.trim() === '') return { refused: 'NAME_REQUIRED' }
      return act(visit, 'team-saved', (organizationId) =>
        visit.call('updateTeam', { body: { teamId, data: { name: name.trim(), organizationId } } }),
      )
    },
  },

  'team-remove': {
    pages: [teams],
    kept: ['teamId'],
    submit: ({ visit, values: { teamId = '' } }) =>
      act(visit, 'team-removed', (organizationId) => visit.call('removeTeam', { body: { teamId, organizationId } })),
  },

  'team-member-add': {
    pages: [teams],
    kept: ['teamId', 'userId'],
    submit: ({ visit, values: { teamId = '', userId = '' } }) =>
      act(visit, 'team-saved', (organizationId) =>
        visit.call('addTeamMember', { body: { teamId, userId, organizationId } }),
      ),
  },

  'team-member-remove': {
    pages: [teams],
    kept: ['teamId', 'userId'],
    submit: ({ visit, values: { teamId = '', userId = '' } }) =>
      act(visit, 'team-saved', (organizationId) =>
        visit.call('removeTeamMember', { body: { teamId, userId, organizationId } }),
      ),
  },

  'role-create': {
    pages: [roles],
    kept: ['role', 'permission.'],
    submit: ({ visit, values }) =>
      act(visit, 'role-saved', (organizationId) =>
        visit.call('createRole', {
          body: { role: values.role?.trim() ?? '', permission: permissionsIn(values), organizationId },
        }),
      ),
  },

  'role-update': {
    pages: [roles],
    kept: ['roleId', 'role', 'permission.'],
    submit: ({ visit, values }) => {
      const { roleId = '', role = '' } = values
      return act(visit, 'role-saved', (organizationId) =>
        visit.call('updateRole', {
          body: {
            roleId,
            organizationId,
            data: { permission: permissionsIn(values), ...(role.trim() !== '' && { roleName: role.trim() }) },
          },
        }),
      )
    },
  },

  'role-delete': {
    pages: [roles],
    kept: ['roleId'],
    submit: ({ visit, values: { roleId = '' } }) =>
      act(visit, 'role-removed', (organizationId) => visit.call('deleteRole', { body: { roleId, organizationId } })),
  },

  'domain-add': {
    pages: [settings],
    kept: ['domain', 'joinMode'],
    submit: ({ visit, values: { domain = '', joinMode } }) =>
      act(visit, 'domain-saved', (organizationId) =>
        visit.call('addDomain', {
          body: { domain: domain.trim(), organizationId, ...(joinMode && { joinMode: modeIn(joinMode) }) },
        }),
      ),
  },

  'domain-verify': {
    pages: [settings],
    kept: ['domainId'],
    submit: ({ visit, values: { domainId = '' } }) =>
      act(visit, 'domain-verified', (organizationId) =>
        visit.call('verifyDomain', { body: { domainId, organizationId } }),
      ),
  },

  'domain-update': {
    pages: [settings],
    kept: ['domainId', 'joinMode'],
    submit: ({ visit, values: { domainId = '', joinMode } }) =>
      act(visit, 'domain-saved', (organizationId) =>
        visit.call('updateDomain', { body: { domainId, joinMode: modeIn(joinMode), organizationId } }),
      ),
  },

  'domain-remove': {
    pages: [settings],
    kept: ['domainId'],
    submit: ({ visit, values: { domainId = '' } }) =>
      act(visit, 'domain-removed', (organizationId) =>
        visit.call('removeDomain', { body: { domainId, organizationId } }),
      ),
  },
}

/** Makes a call in the page's organization and returns to the page. */
async function act(visit: Visit, what: PageDone, call: (organizationId: string) => Promise<unknown>): Promise<Outcome> {
  const { id } = await requireOrganization(visit)
  await call(id)
  return done(visit.url.pathname, what)
}

async function update(visit: Visit, data: Body<'updateOrganization'>['data']) {
  const { id: organizationId } = await requireOrganization(visit)
  return visit.call('updateOrganization', { body: { organizationId, data } })
}

/**
 * Invites each address of a field separately. If all succeed, the page shows how many; otherwise it keeps the refused
 * addresses in the field with their reasons.
 */
async function inviteMembers({ visit, values }: Posted): Promise<Outcome> {
  const { id: organizationId } = await requireOrganization(visit)
  const { role = '', teamId } = values
  const emails = [...new Set(wordsIn(values.emails ?? ''))]
  if (emails.length === 0) return { refused: 'EMAIL_REQUIRED' }
  if (emails.length > mostAddresses) return { refused: 'TOO_MANY_ADDRESSES' }
  if (role === '') return { refused: 'ROLE_REQUIRED' }

  const refused = new Map<string, string>()
  for (const email of emails) if (!isAddress(email)) refused.set(email, 'INVALID_EMAIL')
  const sent = emails.filter((email) => !refused.has(email))
  const answer =
    sent.length > 0
      ? await visit.call('inviteMembers', { body: { emails: sent, role, organizationId, ...(teamId && { teamId }) } })
      : undefined
  for (const { email, error } of answer?.results ?? []) if (error) refused.set(email, error.code)

  const count = String(emails.length - refused.size)
  if (refused.size === 0) return { to: withQuery(visit.url.pathname, { done: 'members-invited', count }) }
  const kept = { count, emails: [...refused.keys()].join('\n'), role, ...(teamId && { teamId }) }
  return { state: { done: 'members-invited', values: { ...Object.fromEntries(refused), ...kept } } }
}

/** The words of a text, separated by white space, commas or semicolons. */
const wordsIn = (text: string): string[] => text.split(/[\s,;]+/).filter((word) => word !== '')

/** The names of the ticked boxes with a prefix, without that prefix. */
const ticked = (values: Posted['values'], prefix: string): string[] =>
  Object.keys(values)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))

/** Actions by resource, from the ticked boxes. */
function permissionsIn(values: Posted['values']): Record<string, string[]> {
  const permissions = new Map<string, string[]>()
  for (const name of ticked(values, 'permission.')) {
    const dot = name.indexOf('.')
    const [resource, action] = [name.slice(0, dot), name.slice(dot + 1)]
    permissions.set(resource, [...(permissions.get(resource) ?? []), action])
  }
  return Object.fromEntries(permissions)
}

/** The JSON object in a text; null for an empty text, undefined for anything else. */
function readMetadata(text: string): Readonly<Record<string, unknown>> | null | undefined {
  if (text.trim() === '') return null
  try {
    const value: unknown = JSON.parse(text)
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isRecord ? membersOf(value) : undefined
  } catch {
    return undefined
  }
}

/** A positive whole number; null for an empty field, undefined for anything else. */
function countIn(text = ''): number | null | undefined {
  if (text.trim() === '') return null
  return /^[1-9]\d{0,4}$/.test(text.trim()) ? Number(text) : undefined
}

/** The join mode of a domain; refuses unknown values. */
function modeIn(text: string | undefined): 'auto' | 'request' | 'off' {
  if (text === 'auto' || text === 'request' || text === 'off') return text
  throw new TollgateError('VALIDATION_ERROR')
}
