import type { PageData, PageState } from '@tollgate/contract/pages'
import type { Visit } from '../visit.ts'
import { ada, type Fixture, longEmail, longName, now, sessionOf, tooMany, withState } from './fixture-data.ts'

type Accept = PageData<'accept-invitation'>
type Join = PageData<'join-organization'>

const invitation: NonNullable<Accept['invitation']> = {
  id: 'fixture',
  organizationId: 'fixtureOrganization',
  email: ada.email,
  role: 'member',
  status: 'pending',
  teamId: null,
  inviterId: 'fixtureUserGrace',
  expiresAt: '2026-03-03T09:00:00.000Z',
  createdAt: '2026-03-01T09:00:00.000Z',
  organizationName: 'Northwind Traders',
  organizationSlug: 'northwind',
  organizationLogo: null,
  inviterEmail: 'grace@example.com',
  inviterName: 'Grace Hopper',
}

const accept =
  (status: Accept['status'], rest: Partial<Accept> = {}) =>
  (visit: Visit, state?: PageState): PageData =>
    visit.data(
      'accept-invitation',
      { session: sessionOf(), now, invitationId: 'fixture', proof: 'fixture', status, signUp: true, ...rest },
      state,
    )

const link: NonNullable<Join['link']> = {
  organizationId: 'fixtureOrganization',
  organizationName: 'Northwind Traders',
  organizationSlug: 'northwind',
  organizationLogo: null,
  role: 'member',
  requiresApproval: false,
  emailDomains: [],
  expiresAt: '2026-03-08T12:00:00.000Z',
}

const join =
  (status: Join['status'], rest: Partial<Join> = {}) =>
  (visit: Visit, state?: PageState): PageData =>
    visit.data(
      'join-organization',
      { session: sessionOf(), now, token: 'fixture', status, signUp: true, ...rest },
      state,
    )

const longInvitation = {
  ...invitation,
  organizationName: longName,
  email: longEmail,
  inviterName: longName,
  inviterEmail: longEmail,
  role: 'admin,billing-and-procurement',
}

/** The states of the pages for joining an organization. */
export const joiningFixtures: Readonly<Record<string, Readonly<Record<string, Fixture>>>> = {
  '/accept-invitation/fixture': {
    ready: accept('ready', { invitation }),
    'ready-long': accept('ready', {
      invitation: longInvitation,
      session: sessionOf({ name: longName, email: longEmail }),
    }),
    limited: withState(accept('ready', { invitation }), { form: 'invitation-accept', ...tooMany }),
    'signed-out': accept('signed-out', { invitation, session: null }),
    'signed-out-unknown': accept('signed-out', { session: null }),
    'signed-out-no-sign-up': accept('signed-out', { invitation, session: null, signUp: false }),
    'other-account': accept('other-account', { invitation, session: sessionOf({ email: 'ada@work.example' }) }),
    'other-account-unknown': accept('other-account'),
    unverified: accept('unverified', { session: sessionOf({ emailVerified: false }) }),
    'not-found': accept('not-found'),
    'already-member': accept('already-member', { invitation }),
    'inviter-gone': accept('inviter-gone'),
    full: accept('full', { invitation }),
    'wants-verified': accept('wants-verified', { invitation, session: sessionOf({ emailVerified: false }) }),
    rejected: accept('rejected'),
    expired: accept('expired', { invitation }),
    'expired-long': accept('expired', { invitation: longInvitation, session: null }),
    canceled: accept('canceled', { invitation }),
    used: accept('used', { invitation, session: null }),
  },
  '/join/fixture': {
    ready: join('ready', { link }),
    'ready-long': join('ready', {
      link: { ...link, organizationName: longName, role: 'billing-and-procurement', expiresAt: null },
      session: sessionOf({ name: longName, email: longEmail }),
    }),
    approval: join('ready', { link: { ...link, requiresApproval: true } }),
    limited: withState(join('ready', { link }), { form: 'link-join', ...tooMany }),
    'signed-out': join('signed-out', { link, session: null }),
    'signed-out-domains': join('signed-out', {
      link: { ...link, emailDomains: ['northwind.example', 'northwind.test'] },
      session: null,
    }),
    'not-found': join('not-found'),
    'not-found-signed-out': join('not-found', { session: null }),
    'other-domain': join('other-domain', { link: { ...link, emailDomains: ['northwind.example'] } }),
    'wants-verified': join('wants-verified', { link, session: sessionOf({ emailVerified: false }) }),
    'already-member': join('already-member', { link }),
    requested: join('requested', { link: { ...link, requiresApproval: true } }),
    'not-allowed': join('not-allowed', { link }),
    full: join('full', { link }),
  },
}
