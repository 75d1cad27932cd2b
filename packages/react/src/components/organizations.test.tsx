import { createTollgateClient } from '@tollgate/client'
import type { AccountOrganizations } from '@tollgate/contract/pages'
import type { Answer } from '@tollgate/contract/types'
import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import {
  AcceptInvitation,
  type AcceptInvitationStatus,
  AccountSettings,
  CreateOrganization,
  JoinOrganization,
  type JoinOrganizationStatus,
  messagesFor,
  OrganizationList,
  OrganizationSwitcher,
  type PageMessages,
  Protect,
  TollgateProvider,
  useOrganization,
  usePermission,
} from '../index.ts'
import * as locales from '../locales/index.ts'

const at = '2026-11-20T10:00:00.000Z'
const later = '2026-11-22T10:00:00.000Z'

type Organization = Answer<'listOrganizations'>[number]
const organization = (slug: string, name: string): Organization => ({
  id: `org-${slug}`,
  name,
  slug,
  logo: null,
  createdAt: at,
  requireVerifiedEmail: false,
})
const acme = organization('acme', 'Acme')
const umbrella = organization('umbrella', 'Umbrella & Sons')
const many = Array.from({ length: 12 }, (_, count) => organization(`org-${count}`, `Organization ${count}`))

const user = {
  id: 'user1',
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  image: null,
  emailVerified: true,
  createdAt: at,
  updatedAt: at,
  role: 'user',
  banned: false,
  banReason: null,
  banExpires: null,
  username: null,
  displayUsername: null,
}

/** A session in which an organization is active, or none. */
const session = (active: Organization | null) => ({
  session: {
    id: 's1',
    userId: user.id,
    token: 't1',
    expiresAt: later,
    createdAt: at,
    updatedAt: at,
    ipAddress: '',
    userAgent: '',
    activeOrganizationId: active?.id ?? null,
    activeTeamId: null,
    impersonatedBy: null,
  },
  user,
  organization: active && { id: active.id, slug: active.slug, name: active.name, roles: ['admin', 'billing'] },
})

const member = {
  id: 'm1',
  organizationId: acme.id,
  userId: user.id,
  role: 'admin,billing',
  createdAt: at,
  user: { id: user.id, name: user.name, email: user.email, image: null },
  permissions: { member: ['create'], invoice: ['read', 'pay'] },
}

const invitation = {
  id: 'inv1',
  organizationId: acme.id,
  email: 'ada@example.com',
  role: 'member',
  status: 'pending' as const,
  teamId: null,
  inviterId: 'user2',
  expiresAt: later,
  createdAt: at,
  organizationName: acme.name,
  organizationSlug: acme.slug,
  organizationLogo: null,
  inviterEmail: 'grace@example.com',
  inviterName: 'Grace Hopper',
}

const link = {
  organizationId: acme.id,
  organizationName: acme.name,
  organizationSlug: acme.slug,
  organizationLogo: null,
  role: 'member',
  requiresApproval: false,
  emailDomains: ['example.com', 'example.org'],
  expiresAt: later,
}

type Known = {
  session?: ReturnType<typeof session> | null
  organizations?: Organization[]
  activeMember?: typeof member | null
}

function render(element: ReactElement, messages: PageMessages = locales.en, known: Known = {}): string {
  const client = createTollgateClient({
    initialSession: known.session === undefined ? session(acme) : known.session,
    ...(known.organizations ? { initialOrganizations: known.organizations } : {}),
    ...(known.activeMember === undefined ? {} : { initialActiveMember: known.activeMember }),
  })
  return renderToString(
    <TollgateProvider client={client} messages={messages} appName="Northwind" inbox="/dev/inbox">
      {element}
    </TollgateProvider>,
  )
}

/** What a person reads, without React's marks between texts. */
const text = (html: string) =>
  html
    .replaceAll('<!-- -->', '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')

const acceptStatuses = [
  'ready',
  'signed-out',
  'other-account',
  'unverified',
  'not-found',
  'already-member',
  'inviter-gone',
  'full',
  'wants-verified',
  'rejected',
] as const satisfies readonly AcceptInvitationStatus[]

const joinStatuses = [
  'ready',
  'signed-out',
  'not-found',
  'other-domain',
  'wants-verified',
  'already-member',
  'requested',
  'not-allowed',
  'full',
] as const satisfies readonly JoinOrganizationStatus[]

const unknown = { session: session(null), invitationId: invitation.id, proof: 'proof1', signUp: true }
const accept = { ...unknown, invitation }
const join = { session: session(null), token: 'tok/1', signUp: true, link }

const lists: AccountOrganizations = {
  memberships: [
    { organization: acme, role: 'owner', soleOwner: true },
    { organization: umbrella, role: 'member', soleOwner: false },
  ],
  invitations: [invitation],
  joinable: [
    { id: 'o3', name: 'Open house', slug: 'open', logo: null, joinMode: 'auto', requested: false },
    { id: 'o4', name: 'On request', slug: 'request', logo: null, joinMode: 'request', requested: false },
    { id: 'o5', name: 'Asked', slug: 'asked', logo: null, joinMode: 'request', requested: true },
  ],
  may: 'create',
}
const nothing: AccountOrganizations = { memberships: [], invitations: [], joinable: [], may: 'limit' }

const pages: Record<string, ReactElement> = {
  ...Object.fromEntries(
    acceptStatuses.flatMap((status) => [
      [`invitation, ${status}`, <AcceptInvitation key={status} {...accept} status={status} />],
      [
        `invitation, ${status}, unknown`,
        <AcceptInvitation
          key={status}
          session={status === 'signed-out' ? null : session(null)}
          invitationId="x"
          status={status}
          signUp={false}
        />,
      ],
    ]),
  ),
  ...Object.fromEntries(
    joinStatuses.map((status) => [`link, ${status}`, <JoinOrganization key={status} {...join} status={status} />]),
  ),
  'invitation, refused': (
    <AcceptInvitation
      {...accept}
      status="ready"
      state={{ form: 'invitation-accept', code: 'ORGANIZATION_MEMBERSHIP_LIMIT_REACHED' }}
    />
  ),
  'invitation, verification sent': (
    <AcceptInvitation {...accept} status="unverified" state={{ form: 'resend-verification', done: 'resent' }} />
  ),
  'link, unknown': <JoinOrganization session={null} token="x" status="ready" signUp />,
  'link, with approval': <JoinOrganization {...join} status="ready" link={{ ...link, requiresApproval: true }} />,
  'link, free': <JoinOrganization {...join} status="ready" link={{ ...link, emailDomains: [], expiresAt: null }} />,
  'link, asked': <JoinOrganization {...join} status="ready" state={{ done: 'join-requested' }} />,
  create: <CreateOrganization />,
  'create, refused': (
    <CreateOrganization
      state={{ fields: { slug: 'ORGANIZATION_ALREADY_EXISTS', name: 'NAME_REQUIRED' }, values: { slug: 'acme' } }}
    />
  ),
  'create, limit': <CreateOrganization may="limit" limit={3} />,
  'create, limit of one': <CreateOrganization may="limit" limit={1} />,
  'create, limit unknown': <CreateOrganization may="limit" />,
  'create, not allowed': <CreateOrganization may="not-allowed" />,
  list: <OrganizationList given={lists} />,
  'list, empty': <OrganizationList given={nothing} />,
  'list, loading': <OrganizationList />,
  'list, left': <OrganizationList given={lists} state={{ done: 'organization-left' }} />,
  'list, refused': (
    <OrganizationList
      given={lists}
      state={{ form: 'organization-leave', code: 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER' }}
    />
  ),
  'list in the account': (
    <AccountSettings section="organizations" organizations={lists} features={{ organizations: true }} />
  ),
}

const parts: Record<string, [ReactElement, Known]> = {
  'switcher, one active': [<OrganizationSwitcher key="1" />, { organizations: [acme, umbrella] }],
  'switcher, none active': [<OrganizationSwitcher key="1" />, { session: session(null), organizations: [acme] }],
  'switcher, no organizations': [<OrganizationSwitcher key="1" />, { session: session(null), organizations: [] }],
  'switcher, many': [<OrganizationSwitcher key="1" personal={false} />, { organizations: many }],
  'switcher, list not read': [<OrganizationSwitcher key="1" />, {}],
  'switcher, not read': [<OrganizationSwitcher key="1" />, { session: { ...session(acme), organization: null } }],
  'switcher of a page': [
    <OrganizationSwitcher
      key="1"
      current={{ ...umbrella, role: 'owner' }}
      dashboard="/dashboard/umbrella"
      to={(chosen) => `/org/${chosen?.slug ?? ''}`}
      invitations={[invitation]}
      create={false}
    />,
    { organizations: [acme, umbrella] },
  ],
}

const all = [
  ...Object.entries(pages).map(([name, element]) => [name, element, {}] as const),
  ...Object.entries(parts).map(([name, [element, known]]) => [name, element, known] as const),
]

describe.each(Object.entries(locales))('in %s', (_, messages) => {
  test.each(all)('%s', (__, element, known) => {
    const html = render(element, messages, known)

    expect(html).not.toMatch(/\bundefined\b|\[object|NaN/)
    expect(text(html)).not.toMatch(/\{\w+\}/)
  })
})

test.each(all)('%s: forms work without JavaScript, ids are unique, nothing is disabled', (_, element, known) => {
  const html = render(element, locales.en, known)
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)

  expect(new Set(ids).size).toBe(ids.length)
  expect(html).not.toMatch(/<(button|input)[^>]* disabled/)
  expect(html).not.toMatch(/ style="/)
  for (const form of html.match(/<form.*?<\/form>/gs) ?? []) {
    expect(form).toMatch(/^<form[^>]* action="\/[^"]*"/)
    expect(form).toMatch(/^<form[^>]* method="post"/)
    expect(form).toMatch(/<input type="hidden" name="form" value="[a-z-]+"\/>/)
    expect(form).toMatch(/<button[^>]* type="submit"|<button type="submit"/)
  }
  for (const input of html.match(/<(?:input|select|textarea)\b[^>]*>/g) ?? []) {
    if (!input.includes('type="hidden"')) expect(html).toContain(`for="${/ id="([^"]+)"/.exec(input)?.[1]}"`)
  }
})

test.each(Object.entries(pages))('%s: one alert and one status, there from the start', (_, element) => {
  const html = render(element)

  expect(html.match(/role="alert"/g)).toHaveLength(1)
  expect(html.match(/role="status"/g)).toHaveLength(1)
})

const formNamed = (html: string, name: string) =>
  (html.match(/<form.*?<\/form>/gs) ?? []).filter((form) => form.includes(`name="form" value="${name}"`))

describe('an invitation', () => {
  test('names the inviter, the organization and the role, and is accepted or declined with its proof', () => {
    const html = render(pages['invitation, ready']!)

    expect(text(html)).toMatch(
      /Join Acme .*Invited by Grace Hopper .*Role: Member .*For ada@example\.com .*Valid until/,
    )
    for (const name of ['invitation-accept', 'invitation-reject']) {
      const [form] = formNamed(html, name)
      expect(form).toContain('action="/accept-invitation/inv1"')
      expect(form).toContain('name="invitationId" value="inv1"')
      expect(form).toContain('name="proof" value="proof1"')
    }
  })

  test('leads a visitor to sign-in and sign-up, and back with the proof', () => {
    const html = render(pages['invitation, signed-out']!)
    const back = 'callbackURL=%2Faccept-invitation%2Finv1%3Fproof%3Dproof1'

    expect(html).toContain(`href="/sign-in?${back}"`)
    expect(html).toContain(`href="/sign-up?invitation=inv1&amp;proof=proof1&amp;${back}"`)
  })

  test('reveals nothing without a proof, and offers no sign-up where that is closed', () => {
    const html = render(pages['invitation, signed-out, unknown']!)

    expect(text(html)).not.toMatch(/Acme|Grace|ada@/)
    expect(html).not.toContain('/sign-up')
  })

  test('names the address that it is for only to who has the proof, and keeps itself through the sign-out', () => {
    const known = render(pages['invitation, other-account']!)
    const unproved = render(<AcceptInvitation {...unknown} status="other-account" />)

    expect(text(known)).toContain('It was sent to ada@example.com')
    expect(text(unproved)).not.toContain('It was sent to')
    for (const html of [known, unproved]) {
      const [form] = formNamed(html, 'sign-out')
      expect(form).toContain('action="/sign-out"')
      expect(form).toContain('name="callbackURL" value="/accept-invitation/inv1?proof=proof1"')
    }
  })

  test('has the mail sent that an unproved address needs, whose link leads back', () => {
    const [form] = formNamed(render(pages['invitation, unverified']!), 'resend-verification')

    expect(form).toContain('action="/verify-email"')
    expect(form).toContain('name="email" value="ada@example.com"')
    expect(form).toContain('name="callbackURL" value="/accept-invitation/inv1?proof=proof1"')
    expect(render(pages['invitation, verification sent']!)).toContain('href="/dev/inbox"')
  })

  test('opens the organization for who is in it', () => {
    expect(render(pages['invitation, already-member']!)).toContain('href="/org/acme"')
  })

  test('a refusal is shown as a sentence', () => {
    expect(text(render(pages['invitation, refused']!))).toContain('The organization is full.')
  })
})

describe('a link', () => {
  test('shows the requirements, and joins or asks', () => {
    const html = render(pages['link, ready']!)

    expect(text(html)).toMatch(/Join Acme .*As ada@example\.com .*For addresses of example\.com or example\.org/)
    expect(formNamed(html, 'link-join')[0]).toContain('action="/join/tok%2F1"')
    expect(text(render(pages['link, with approval']!))).toMatch(/Ask to join Acme .*has to approve it/)
  })

  test('that is invalid shows it, whatever else is known', () => {
    expect(text(render(pages['link, unknown']!))).toContain('This link no longer works')
  })

  test('that was used to ask shows what happens next, also without JavaScript', () => {
    expect(text(render(pages['link, asked']!))).toContain(
      'You can access Acme as soon as a member approves your request.',
    )
  })
})

describe('a new organization', () => {
  test('asks for a name, a short name and a logo', () => {
    const html = render(pages.create!)

    for (const name of ['name', 'slug', 'picture']) expect(html).toMatch(new RegExp(`<input[^>]* name="${name}"`))
    expect(formNamed(html, 'organization-create')[0]).toContain('action="/organizations/new"')
  })

  test('keeps the input, and shows the error beside the field', () => {
    const html = render(pages['create, refused']!)

    expect(html).toMatch(
      /<input[^>]*value="acme"[^>]*aria-invalid="true"|<input[^>]*aria-invalid="true"[^>]*value="acme"/,
    )
    expect(text(html)).toContain('This short name is taken. Try another one.')
    // A person has a name too, with a text of its own.
    expect(text(html)).toContain('Enter a name.')
  })

  test('shows the limit where it is reached', () => {
    expect(text(render(pages['create, limit']!))).toContain('You can have 3 organizations.')
    expect(text(render(pages['create, limit of one']!))).toContain('You can have 1 organization.')
    expect(render(pages['create, limit']!)).not.toContain('<form')
  })
})

describe('the list of organizations', () => {
  test('has roles, and a way out except for who is the only owner', () => {
    const html = render(pages.list!)
    const leaving = formNamed(html, 'organization-leave')

    expect(text(html)).toContain('Role: Owner')
    expect(leaving).toHaveLength(1)
    expect(leaving[0]).toContain(`value="${umbrella.id}"`)
    expect(text(html)).toContain('You are the only owner.')
    expect(html).toContain('href="/org/acme/danger"')
  })

  test('has invitations to answer, and what an address can join', () => {
    const html = render(pages.list!)

    expect(formNamed(html, 'invitation-accept')).toHaveLength(1)
    expect(formNamed(html, 'invitation-reject')).toHaveLength(1)
    expect(formNamed(html, 'organization-join')).toHaveLength(2)
    expect(html).toContain('aria-label="Ask to join On request"')
    expect(text(html)).toContain('Asked Asked to join')
  })

  test('explains why no more can be created', () => {
    expect(render(pages['list, empty']!)).not.toContain('href="/organizations/new"')
    expect(text(render(pages['list, empty']!))).toContain('You have reached the maximum number of organizations.')
  })

  test('a refusal has the words of organizations, not of the account', () => {
    expect(text(render(pages['list, refused']!))).toContain('An organization always has an owner.')
  })
})

describe('the switcher', () => {
  const draw = (name: string) => {
    const [element, known] = parts[name]!
    return render(element, locales.en, known)
  }
  const options = (html: string) =>
    [...html.matchAll(/<button type="submit" role="option" aria-selected="(true|false)".*?<\/button>/gs)].map(
      ([button, selected]) => [text(button).trim().replace(/^\S+ /, ''), selected],
    )

  test('shows the active organization with the roles, and marks it in the list', () => {
    const html = draw('switcher, one active')

    expect(text(html)).toContain('Acme Administrator, Billing')
    expect(options(html)).toEqual([
      ['Personal account', 'false'],
      ['Acme', 'true'],
      ['Umbrella & Sons', 'false'],
    ])
    expect(html).toContain('role="listbox" aria-label="Your organizations"')
  })

  test('each choice is a form of its own, so that it works without JavaScript', () => {
    const forms = formNamed(draw('switcher of a page'), 'organization-switch')

    expect(forms).toHaveLength(3)
    for (const form of forms) expect(form).toContain('action="/organizations/switch"')
    expect(forms[1]).toContain(`name="organizationId" value="${acme.id}"`)
    expect(forms[1]).toContain('name="to" value="/org/acme"')
    expect(forms[0]).toContain('name="organizationId" value=""')
    // Until arrow keys work, each is reached by Tab.
    expect(forms.join('')).not.toContain('tabindex')
  })

  test('shows the organization of the page, which need not be the active one', () => {
    const html = draw('switcher of a page')

    expect(text(html)).toContain('Umbrella & Sons Owner')
    expect(options(html)).toContainEqual(['Umbrella & Sons', 'true'])
    expect(html).not.toContain('href="/organizations/new"')
  })

  test('knows the active organization before the list is read', () => {
    expect(text(draw('switcher, list not read'))).toContain('Acme Administrator, Billing')
  })

  test('shows that there is none, and offers to create one', () => {
    expect(text(draw('switcher, no organizations'))).toContain('You are not in any organization yet.')
    expect(draw('switcher, no organizations')).toContain('href="/organizations/new"')
  })

  test('can be searched where there are many', () => {
    expect(draw('switcher, many')).toMatch(/<input[^>]*type="search"/)
    expect(draw('switcher, one active')).not.toContain('type="search"')
  })

  test('offers to join by an invitation', () => {
    const [form] = formNamed(draw('switcher of a page'), 'invitation-accept')

    expect(form).toContain('action="/accept-invitation/inv1"')
    expect(form).toContain('aria-label="Join Acme"')
  })
})

describe('permissions', () => {
  const guarded = (
    <>
      <p>
        <Protect permission={{ member: ['create'] }} fallback="no invitations">
          invitations
        </Protect>
      </p>
      <p>
        <Protect permission={{ member: ['create'], invoice: ['pay'] }}>both</Protect>
      </p>
      <p>
        <Protect permission={{ member: ['delete'] }} fallback="no removal" loading="removal?">
          removal
        </Protect>
      </p>
      <p>
        <Protect permission={{ member: ['delete'], invoice: ['read'] }} connector="OR">
          either
        </Protect>
      </p>
    </>
  )
  const drawn = (known: Known) =>
    [...render(guarded, locales.en, known).matchAll(/<p>(.*?)<\/p>/g)].map(([, inside]) => inside)

  test('decide what is drawn, by all of the requested ones or by any', () => {
    expect(drawn({ activeMember: member })).toEqual(['invitations', 'both', 'no removal', 'either'])
  })

  test('nothing is drawn before they are known, and the fallback where the user is no member', () => {
    expect(drawn({})).toEqual(['', '', 'removal?', ''])
    expect(drawn({ activeMember: null })).toEqual(['no invitations', '', 'no removal', ''])
  })

  test('the hooks give the same answer, with the organization', () => {
    function Probe() {
      const { organization, membership, members, teams, pending } = useOrganization()
      const may = usePermission({ invoice: ['read', 'pay'] })
      return <>{JSON.stringify([organization, membership?.role, members, teams, pending, may])}</>
    }
    const client = createTollgateClient({ initialActiveOrganization: null, initialActiveMember: member })
    const html = renderToString(
      <TollgateProvider client={client} messages={locales.en}>
        <Probe />
      </TollgateProvider>,
    )

    expect(html.replaceAll('&quot;', '"')).toContain('[null,"admin,billing",[],[],false,true]')
  })
})

test('the groups named for a component are all that it needs', () => {
  const { en } = locales
  render(pages['invitation, ready']!, messagesFor(en, 'AcceptInvitation'))
  render(pages['link, ready']!, messagesFor(en, 'JoinOrganization'))
  render(pages['create, refused']!, messagesFor(en, 'CreateOrganization'))
  render(pages.list!, messagesFor(en, 'OrganizationList'))
  render(pages['list in the account']!, messagesFor(en, 'AccountSettings', 'OrganizationList'))
  render(parts['switcher of a page']![0], messagesFor(en, 'OrganizationSwitcher'))
})

test('the switcher leads to where the shown organization sells, and only there', () => {
  const of = (name: string) => render(parts[name]![0], locales.en, parts[name]![1])

  expect(of('switcher of a page')).toContain('href="/dashboard/umbrella"')
  expect(of('switcher, one active')).not.toContain('/dashboard/')
})
