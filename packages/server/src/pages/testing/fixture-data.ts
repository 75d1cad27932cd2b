import type { PageData, PageState } from '@tollgate/contract/pages'
import type { Session, SessionAnswer, SessionUser } from '@tollgate/contract/types'
import { firstOf } from '../../foundation/proof/proven.ts'
import type { Visit } from '../visit.ts'

/**
 * Fixtures of every page in every state, at `?fixture=<state>` in development mode, for viewing and for tests. They
 * neither read nor write data.
 */
export type Fixture = (visit: Visit) => PageData

export const ada: SessionUser = {
  id: 'fixtureUser00000000000000000000a',
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  image: null,
  emailVerified: true,
  createdAt: '2026-01-12T09:30:00.000Z',
  updatedAt: '2026-02-02T17:05:00.000Z',
  role: null,
  banned: false,
  banReason: null,
  banExpires: null,
  username: null,
  displayUsername: null,
}

/** The current time of the fixtures. */
export const now = '2026-03-01T12:00:00.000Z'

const session = (id: string, userAgent: string | null, updatedAt: string, rest: Partial<Session> = {}): Session => ({
  id,
  userId: ada.id,
  token: `fixture${id}`,
  expiresAt: '2026-03-08T12:00:00.000Z',
  createdAt: '2026-02-20T08:15:00.000Z',
  updatedAt,
  ipAddress: '203.0.113.7',
  userAgent,
  activeOrganizationId: null,
  activeTeamId: null,
  impersonatedBy: null,
  ...rest,
})

export const sessions: readonly Session[] = [
  session(
    'here',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
    '2026-03-01T11:58:00.000Z',
  ),
  session(
    'phone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    '2026-02-28T20:41:00.000Z',
    { ipAddress: '2001:db8:85a3::8a2e:370:7334' },
  ),
  session(
    'laptop',
    'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
    '2026-02-21T07:00:00.000Z',
  ),
  session('script', null, '2026-02-20T08:15:00.000Z', { ipAddress: '' }),
]

export const longName = 'Wolfeschlegelsteinhausenbergerdorff-Montgomery von und zu Ruprechtshofen'
export const longEmail = 'wolfeschlegelsteinhausenbergerdorff.montgomery@accounts.northwind-traders.example.com'

export const withState = (fixture: (visit: Visit, state?: PageState) => PageData, state: PageState): Fixture => {
  return (visit) => fixture(visit, state)
}

/** Ada’s session on her first device. */
export const sessionOf = (user: Partial<SessionUser> = {}): NonNullable<SessionAnswer> => ({
  session: firstOf(sessions, 'the fixtures have sessions'),
  user: { ...ada, ...user },
  organization: null,
})

/** Props of every page of her account. */
export const account = (user: Partial<SessionUser> = {}) => ({
  session: sessionOf(user),
  now,
  administers: true,
  hasPassword: true,
  features: {
    changeEmail: true,
    deleteUser: true,
    verification: true,
    username: true,
    connections: true,
    organizations: true,
  },
})

export const tooMany = { code: 'TOO_MANY_REQUESTS', retryAfter: 42 } as const
