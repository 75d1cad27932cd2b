import type { Answer } from '../types.ts'
import { type After, type At, defineForm, type Values } from './form.ts'
import { withQuery } from './paths.ts'

const ownList = '/account/organizations'

const aboutInvitation = {
  pages: ['/accept-invitation/:id', ownList],
  fields: {},
  kept: ['invitationId', 'proof'],
  usesUser: true,
  /** Signed-out visitors sign in first and return to the invitation. */
  instead({ invitationId = '', proof }: Values, { user, paths }: At): After | undefined {
    if (user !== null) return undefined
    // The proof comes from the form: the URL that the form posts to may lack it.
    const invitation = withQuery(`${paths.acceptInvitation}/${encodeURIComponent(invitationId)}`, { proof })
    return { to: withQuery(paths.signIn, { callbackURL: invitation }) }
  },
  input: ({ invitationId = '', proof }: Values) => ({ invitationId, ...(proof && { proof }) }),
}

export const invitationAccept = defineForm({
  ...aboutInvitation,
  name: 'invitation-accept',
  calls: ['acceptInvitation'],
  after: ({ invitation: { organizationId } }) => ({ organizationId }),
})

export const invitationReject = defineForm({
  ...aboutInvitation,
  name: 'invitation-reject',
  calls: ['rejectInvitation'],
  after: () => ({ done: 'invitation-rejected' }),
})

/** Leads to the joined organization, or says that its members decide. */
const joined = ({ status, organizationId }: Answer<'joinByLink'>): After =>
  status === 'requested' ? { done: 'join-requested' } : { organizationId }

/** Joins by a shared link. */
export const linkJoin = defineForm({
  name: 'link-join',
  pages: ['/join/:token'],
  calls: ['joinByLink'],
  fields: {},
  kept: ['token'],
  input: ({ token = '' }) => ({ token }),
  after: joined,
})

/** Joins an organization that takes people with an address at its domain. */
export const organizationJoin = defineForm({
  name: 'organization-join',
  pages: [ownList],
  calls: ['joinOrganization'],
  fields: {},
  kept: ['organizationId'],
  input: ({ organizationId = '' }) => ({ organizationId }),
  after: joined,
})

/** Ends the own membership. */
export const organizationLeave = defineForm({
  name: 'organization-leave',
  pages: ['/org/:slug/danger', '/org/:slug/members', ownList],
  calls: ['leaveOrganization'],
  fields: {},
  kept: ['organizationId'],
  input: ({ organizationId = '' }) => ({ organizationId }),
  after: (_, __, { paths }) => ({ to: withQuery(paths.organizations, { done: 'organization-left' }) }),
})
