import type { OrganizationForm } from '@tollgate/contract/pages'
import { TollgateError } from '../foundation/error.ts'
import { done, type Form, type Outcome, withQuery } from './form.ts'
import { signInAndBack } from './page-data.ts'
import type { Visit } from './visit.ts'

const acceptPage = '/accept-invitation/:id'
const joinPage = '/join/:token'
const ownList = '/account/organizations'

export type JoiningForm = Extract<
  OrganizationForm,
  'invitation-accept' | 'invitation-reject' | 'link-join' | 'organization-join'
>

/** Forms to join an organization or decline, on pages of their own and in the account. */
export const joiningForms: Readonly<Record<JoiningForm, Form>> = {
  'invitation-accept': {
    pages: [acceptPage, ownList],
    kept: ['invitationId', 'proof'],
    submit: async ({ visit, values: { invitationId = '', proof } }) => {
      // The proof comes from the form: the URL that the form posts to may lack it.
      if (!(await visit.session())) return { to: signInAndBack(invitationPath(invitationId, proof)) }
      const body = { invitationId, ...(proof && { proof }) }
      const answer = await visit.call('acceptInvitation', { body })
      return toOrganization(visit, answer?.invitation.organizationId)
    },
  },

  'invitation-reject': {
    pages: [acceptPage, ownList],
    kept: ['invitationId', 'proof'],
    submit: async ({ visit, values: { invitationId = '', proof } }) => {
      if (!(await visit.session())) return { to: signInAndBack(invitationPath(invitationId, proof)) }
      await visit.call('rejectInvitation', { body: { invitationId, ...(proof && { proof }) } })
      return done(visit.route === ownList ? ownList : visit.url.pathname, 'invitation-rejected')
    },
  },

  'link-join': {
    pages: [joinPage],
    kept: ['token'],
    submit: async ({ visit, values: { token = '' } }) => {
      const answer = await visit.call('joinByLink', { body: { token } })
      if (answer?.status === 'requested') return done(visit.url.pathname, 'join-requested')
      return toOrganization(visit, answer?.organizationId)
    },
  },

  'organization-join': {
    pages: [ownList],
    kept: ['organizationId'],
    submit: async ({ visit, values: { organizationId = '' } }) => {
      const answer = await visit.call('joinOrganization', { body: { organizationId } })
      if (answer?.status === 'requested') return done(ownList, 'join-requested')
      return toOrganization(visit, answer?.organizationId)
    },
  },
}

/** The page of an invitation, with its proof. */
export const invitationPath = (id: string, proof: string | undefined): string =>
  withQuery(`/accept-invitation/${encodeURIComponent(id)}`, { proof })

/** Redirects to the organization that the user has just joined. */
async function toOrganization(visit: Visit, organizationId: string | undefined): Promise<Outcome> {
  if (organizationId === undefined) throw new TollgateError('NOT_FOUND')
  const organization = await visit.call('getOrganization', { query: { organizationId } })
  return { to: organization ? `/org/${organization.slug}` : ownList }
}
