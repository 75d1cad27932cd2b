import type { OrganizationForm } from '@tollgate/contract/pages'
import type { Answer } from '@tollgate/contract/types'
import { done, type Form, form, type Outcome, pathOf, withQuery } from './form.ts'
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
  'invitation-accept': aboutInvitation(async (visit, body) => {
    const { invitation } = await visit.call('acceptInvitation', { body })
    return toOrganization(visit, invitation.organizationId)
  }),

  'invitation-reject': aboutInvitation(async (visit, body) => {
    await visit.call('rejectInvitation', { body })
    return done(pathOf(visit), 'invitation-rejected')
  }),

  'link-join': form([joinPage], ['token'], async (visit, { token = '' }) =>
    joined(visit, await visit.call('joinByLink', { body: { token } })),
  ),

  'organization-join': form([ownList], ['organizationId'], async (visit, { organizationId = '' }) =>
    joined(visit, await visit.call('joinOrganization', { body: { organizationId } })),
  ),
}

type Invited = { readonly invitationId: string; readonly proof?: string }

/** A form about an invitation. Signed-out visitors sign in first and return to the invitation. */
function aboutInvitation(act: (visit: Visit, invited: Invited) => Promise<Outcome>): Form {
  return form([acceptPage, ownList], ['invitationId', 'proof'], async (visit, { invitationId = '', proof }) => {
    // The proof comes from the form: the URL that the form posts to may lack it.
    const invitation = withQuery(`/accept-invitation/${encodeURIComponent(invitationId)}`, { proof })
    if (!(await visit.session())) return { to: signInAndBack(invitation) }
    return act(visit, { invitationId, ...(proof && { proof }) })
  })
}

/** Redirects to the joined organization, or to the page, which says that its members decide. */
const joined = async (visit: Visit, answer: Answer<'joinByLink'>): Promise<Outcome> =>
  answer.status === 'requested' ? done(pathOf(visit), 'join-requested') : toOrganization(visit, answer.organizationId)

/** Redirects to the organization that the user has just joined. */
async function toOrganization(visit: Visit, organizationId: string): Promise<Outcome> {
  const organization = await visit.call('getOrganization', { query: { organizationId } })
  return { to: organization ? `/org/${organization.slug}` : ownList }
}
