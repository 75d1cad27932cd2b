import { type ErrorName, errorCode } from '@tollgate/contract/calls'
import type { PageData, PageState } from '@tollgate/contract/pages'
import { findMerchantLook } from '../features/billing/merchant/merchant-look.service.ts'
import { type ClosedInvitation, lookAtClosedInvitation } from '../features/organization/invitation.service.ts'
import { organizationConfig } from '../features/organization/membership.ts'
import { look, lookAtInvitation } from './invitation-look.ts'
import { type PageMakers, type SignedIn, takesSignUps } from './page-data.ts'
import type { Visit } from './visit.ts'

/** The pages of a mailed invitation and of a shared link, for visitors with and without an account. */
export const joiningPageMakers: PageMakers = {
  '/accept-invitation/:id': acceptInvitationPage,
  '/join/:token': joinPage,
}

type AcceptStatus = PageData<'accept-invitation'>['status']
type JoinStatus = PageData<'join-organization'>['status']

/** Refusals that change the page's status instead of appearing above the form. */
const acceptRefusals = statusByCode<AcceptStatus>({
  INVITATION_NOT_FOUND: 'not-found',
  INVITATION_GONE: 'not-found',
  FAILED_TO_RETRIEVE_INVITATION: 'not-found',
  INVITER_NO_LONGER_A_MEMBER: 'inviter-gone',
  ALREADY_A_MEMBER: 'already-member',
  MEMBERSHIP_LIMIT_REACHED: 'full',
  ORGANIZATION_WANTS_VERIFIED_EMAIL: 'wants-verified',
})
const joinRefusals = statusByCode<JoinStatus>({
  INVITATION_LINK_NOT_FOUND: 'not-found',
  LINK_FOR_OTHER_DOMAINS: 'other-domain',
  ORGANIZATION_WANTS_VERIFIED_EMAIL: 'wants-verified',
  ALREADY_A_MEMBER: 'already-member',
  JOIN_ALREADY_REQUESTED: 'requested',
  JOIN_NOT_ALLOWED: 'not-allowed',
  MEMBERSHIP_LIMIT_REACHED: 'full',
})

function statusByCode<Status>(byName: Partial<Record<ErrorName, Status>>): ReadonlyMap<string, Status> {
  return new Map(Object.entries(byName).map(([name, status]) => [errorCode(name as ErrorName), status])) // its own keys
}

/**
 * An invitation and the actions on it. Only the recipient and visitors with its proof see the content. Everyone else
 * cannot tell whether it exists.
 */
async function acceptInvitationPage(visit: Visit, refused?: PageState): Promise<PageData> {
  const invitationId = visit.params.id ?? ''
  const proof = refused?.values?.proof || visit.query.get('proof') || undefined
  const session = await visit.session()
  const common = {
    session,
    now: visit.ctx.clock.now().toISOString(),
    invitationId,
    ...(proof && { proof }),
    signUp: takesSignUps(visit),
  }
  if (session && !refused && visit.query.get('done') === 'invitation-rejected')
    return visit.data('accept-invitation', { ...common, status: 'rejected' })

  const { found: invitation, refusal } = await lookAtInvitation(visit, invitationId, proof)
  const closed = invitation
    ? undefined
    : await lookAtClosedInvitation(visit.ctx, session?.user, { id: invitationId, proof })
  if (closed) {
    const status = await statusOfClosed(visit, session, closed)
    const brand = await brandOf(visit, closed.invitation)
    return visit.data('accept-invitation', { ...common, invitation: closed.invitation, ...brand, status })
  }
  const known = { ...common, ...(invitation && { invitation, ...(await brandOf(visit, invitation)) }) }
  const told = refused?.code === undefined ? undefined : acceptRefusals.get(refused.code)
  if (told) return visit.data('accept-invitation', { ...known, status: told })
  const status = invitation ? await statusOf(visit, session, invitation) : statusWithout(session, refusal)
  return visit.data('accept-invitation', { ...known, status }, refused)
}

/** The look of an organization that has one of its own. */
async function brandOf(
  { ctx }: Visit,
  { organizationId }: { readonly organizationId: string },
): Promise<Pick<PageData<'join-organization'>, 'brand'>> {
  const found = await findMerchantLook(ctx.db, organizationId)
  return found ? { brand: found.brand } : {}
}

async function statusOf(
  visit: Visit,
  session: SignedIn | null,
  { email, organizationId }: NonNullable<PageData<'accept-invitation'>['invitation']>,
): Promise<AcceptStatus> {
  if (!session) return 'signed-out'
  if (session.user.email !== email) return 'other-account'
  return (await isMember(visit, organizationId)) ? 'already-member' : 'ready'
}

/** A member who follows the accepted invitation's link again sees the organization they joined. */
async function statusOfClosed(
  visit: Visit,
  session: SignedIn | null,
  { status, invitation }: ClosedInvitation,
): Promise<AcceptStatus> {
  if (status !== 'accepted') return status
  return session && (await isMember(visit, invitation.organizationId)) ? 'already-member' : 'used'
}

function statusWithout(session: SignedIn | null, refusal: ErrorName | undefined): AcceptStatus {
  if (!session) return 'signed-out'
  // The refusal covers both a wrong and an unverified address. An unverified user verifies first and then learns which.
  if (refusal === 'NOT_THE_RECIPIENT') return session.user.emailVerified ? 'other-account' : 'unverified'
  return refusal === 'INVITER_NO_LONGER_A_MEMBER' ? 'inviter-gone' : 'not-found'
}

/** The page of a shared link, with what the visitor can do. */
async function joinPage(visit: Visit, refused?: PageState): Promise<PageData> {
  const token = visit.params.token ?? ''
  const session = await visit.session()
  const { found: link } = await look(visit.call('getInvitationLink', { query: { token } }))
  const common = {
    session,
    now: visit.ctx.clock.now().toISOString(),
    token,
    signUp: takesSignUps(visit),
    ...(link && { link, ...(await brandOf(visit, link)) }),
  }
  const told = refused?.code === undefined ? undefined : joinRefusals.get(refused.code)
  if (told) return visit.data('join-organization', { ...common, status: told })
  return visit.data('join-organization', { ...common, status: await joinStatus(visit, session, link) }, refused)
}

async function joinStatus(
  visit: Visit,
  session: SignedIn | null,
  link: PageData<'join-organization'>['link'],
): Promise<JoinStatus> {
  if (!link) return 'not-found'
  if (!session) return 'signed-out'
  if (await isMember(visit, link.organizationId)) return 'already-member'
  if (visit.query.get('done') === 'join-requested') return 'requested'
  const { email, emailVerified } = session.user
  const { emailDomains, requiresApproval } = link
  const isOfDomain = emailDomains.length === 0 || emailDomains.includes(email.slice(email.lastIndexOf('@') + 1))
  // Checked before verification, because verifying an address of another domain does not help.
  if (!isOfDomain) return 'other-domain'
  const { requireEmailVerificationOnInvitation } = organizationConfig(visit.ctx)
  const wantsVerified = requireEmailVerificationOnInvitation || requiresApproval || emailDomains.length > 0
  return wantsVerified && !emailVerified ? 'wants-verified' : 'ready'
}

/** Whether the visitor is a member, including members who must verify their address first. */
async function isMember(visit: Visit, organizationId: string): Promise<boolean> {
  const { found, refusal } = await look(visit.call('getOrganization', { query: { organizationId } }))
  return Boolean(found) || refusal === 'ORGANIZATION_WANTS_VERIFIED_EMAIL'
}
