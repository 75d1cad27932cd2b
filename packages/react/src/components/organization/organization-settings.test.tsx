import { createTollgateClient } from '@tollgate/client'
import { organizationRoles, organizationStatements } from '@tollgate/contract/calls'
import type { OrganizationFrame, PageMember } from '@tollgate/contract/pages'
import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { messagesFor, OrganizationSettings, type PageMessages, TollgateProvider } from '../../index.ts'
import * as locales from '../../locales/index.ts'

const now = '2026-11-20T10:00:00.000Z'
const earlier = '2026-11-17T10:00:00.000Z'

const member = (name: string, role: string): PageMember => ({
  id: `member-${name}`,
  organizationId: 'org1',
  userId: `user-${name}`,
  role,
  createdAt: earlier,
  user: { id: `user-${name}`, name: name === 'ada' ? 'Ada Lovelace' : name, email: `${name}@example.com`, image: null },
})
const [ada, bob, eve] = [member('ada', 'owner'), member('bob', 'admin,auditor'), member('eve', 'member')]

const organization = {
  id: 'org1',
  name: 'Northwind',
  slug: 'northwind',
  logo: null,
  createdAt: earlier,
  metadata: { plan: 'pro', seats: 3 },
  requireVerifiedEmail: true,
}

const session: OrganizationFrame['session'] = {
  session: {
    id: 'session1',
    userId: ada.userId,
    token: 'token',
    expiresAt: '2026-11-27T10:00:00.000Z',
    createdAt: earlier,
    updatedAt: earlier,
    ipAddress: '203.0.113.7',
    userAgent: null,
    activeOrganizationId: 'org1',
    activeTeamId: null,
    impersonatedBy: null,
  },
  user: {
    id: ada.userId,
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    image: null,
    emailVerified: true,
    createdAt: earlier,
    updatedAt: earlier,
    role: 'user',
    banned: false,
    banReason: null,
    banExpires: null,
    username: null,
    displayUsername: null,
  },
}

const auditor = { id: 'role1', name: 'auditor', permissions: { audit: ['read'] } }
const roles = [...Object.entries(organizationRoles).map(([name, permissions]) => ({ name, permissions })), auditor]

const frame: OrganizationFrame = {
  session,
  now,
  organization,
  member: { ...ada, permissions: { ...organizationStatements } as never }, // what an owner holds
  isOwner: true,
  organizations: [organization],
  roles,
  ownerRole: 'owner',
  statements: organizationStatements,
  counts: { members: 14, membershipLimit: 100, invitations: 2, requests: 1 },
  features: { teams: true, deletion: true, removingLastTeam: false },
}

/** The same page for a member with another role. */
const as = (person: PageMember, permissions: Record<string, readonly string[]>): OrganizationFrame => ({
  ...frame,
  session: { ...session, user: { ...session.user, id: person.userId, email: person.user.email } },
  member: { ...person, permissions: permissions as never }, // only read
  isOwner: false,
})
const asAdmin = as(bob, organizationRoles.admin)
const asMember = as(eve, organizationRoles.member)

const team = { id: 'team1', name: 'Design', organizationId: 'org1', createdAt: earlier, updatedAt: null }
const invitation = {
  id: 'invitation1',
  organizationId: 'org1',
  email: 'joan@example.com',
  role: 'member',
  status: 'pending' as const,
  teamId: 'team1',
  inviterId: ada.userId,
  expiresAt: '2026-11-22T10:00:00.000Z',
  createdAt: earlier,
}
const link = {
  id: 'link1',
  organizationId: 'org1',
  role: 'member',
  teamId: null,
  maxUses: 10,
  uses: 3,
  emailDomains: ['example.com'],
  requiresApproval: true,
  creatorId: ada.userId,
  expiresAt: null,
  createdAt: earlier,
  url: 'https://app.example/join/abc',
}
const request = {
  id: 'request1',
  organizationId: 'org1',
  userId: 'user-kim',
  user: { id: 'user-kim', name: 'Kim', email: 'kim@example.com', image: null },
  role: 'member',
  source: 'link' as const,
  status: 'pending' as const,
  createdAt: earlier,
}
const domain = {
  id: 'domain1',
  organizationId: 'org1',
  domain: 'example.com',
  joinMode: 'request' as const,
  verifiedAt: null,
  createdAt: earlier,
  record: { name: '_tollgate.example.com', value: 'tollgate-verification=abc' },
}
const event = (type: string, data: Record<string, unknown> | null = null) => ({
  id: `event-${type}`,
  type,
  actorId: ada.userId,
  actor: { id: ada.userId, name: 'Ada Lovelace', email: 'ada@example.com' },
  userId: eve.userId,
  user: { id: eve.userId, name: 'Eve', email: 'eve@example.com' },
  organizationId: 'org1',
  data,
  createdAt: earlier,
  byAdministrator: false,
})

const members = {
  members: [ada, bob, eve],
  total: 3,
  search: '',
  role: '',
  offset: 0,
  limit: 25,
  teams: [team],
  teamNames: { [eve.id]: ['Design'] },
  soleOwner: true,
}
const invitations = {
  invitations: [invitation],
  inviters: { [bob.userId]: 'Bob' },
  status: 'pending' as const,
  teams: [team],
  links: [link],
  requests: [request],
  acceptURL: 'https://app.example/accept-invitation/',
}
const teams = { teams: [{ team, members: [eve], total: 3, isOwn: false }], people: [ada, bob, eve] }
const audit = {
  events: [event('member.added', { role: 'admin' }), event('brand.new')],
  nextCursor: 'cursor1',
  type: '',
  types: ['member.added', 'team.created'],
  exportURL: '/org/northwind/audit/export',
}
const danger = { people: [ada, bob, eve], soleOwner: true, hasPassword: true }

const states: Record<string, ReactElement> = {
  overview: <OrganizationSettings section="overview" {...frame} newest={[ada, eve]} events={audit.events} />,
  'overview, quiet': (
    <OrganizationSettings
      section="overview"
      {...asMember}
      counts={{ members: 1, membershipLimit: 100, invitations: 0, requests: 0 }}
      newest={[eve]}
    />
  ),
  members: <OrganizationSettings section="members" {...frame} {...members} />,
  'members, for an administrator': (
    <OrganizationSettings section="members" {...asAdmin} {...members} soleOwner={false} />
  ),
  'members, for a member': <OrganizationSettings section="members" {...asMember} {...members} soleOwner={false} />,
  'members, none found': (
    <OrganizationSettings section="members" {...frame} {...members} members={[]} total={0} search="zoe" />
  ),
  'members, second page': <OrganizationSettings section="members" {...frame} {...members} offset={25} total={70} />,
  'members, refused': (
    <OrganizationSettings
      section="members"
      {...frame}
      {...members}
      state={{ form: 'member-role', code: 'ROLE_NOT_FOUND', values: { memberId: eve.id } }}
    />
  ),
  'members, changed': (
    <OrganizationSettings
      section="members"
      {...frame}
      {...members}
      state={{ form: 'member-role', done: 'member-updated' }}
    />
  ),
  invitations: <OrganizationSettings section="invitations" {...frame} {...invitations} />,
  'invitations, none': (
    <OrganizationSettings
      section="invitations"
      {...frame}
      {...{ ...invitations, invitations: [], links: [], requests: [], status: 'accepted' as const }}
    />
  ),
  'invitations, expired': (
    <OrganizationSettings
      section="invitations"
      {...frame}
      {...invitations}
      invitations={[{ ...invitation, expiresAt: earlier }]}
    />
  ),
  'invitations, some not sent': (
    <OrganizationSettings
      section="invitations"
      {...frame}
      {...invitations}
      state={{
        form: 'invite-members',
        done: 'members-invited',
        values: {
          'bob@example.com': 'USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION',
          ada: 'INVALID_EMAIL',
          emails: 'bob@example.com\nada',
          role: 'admin',
          count: '2',
        },
      }}
    />
  ),
  'invitations, nothing entered': (
    <OrganizationSettings
      section="invitations"
      {...frame}
      {...invitations}
      state={{ form: 'invite-members', fields: { emails: 'EMAIL_REQUIRED' } }}
    />
  ),
  'invitations, link refused': (
    <OrganizationSettings
      section="invitations"
      {...frame}
      {...invitations}
      state={{ form: 'link-create', fields: { emailDomains: 'INVALID_DOMAIN' }, values: { emailDomains: 'x' } }}
    />
  ),
  'invitations, for a member': (
    <OrganizationSettings
      section="invitations"
      {...asMember}
      {...{ invitations: [invitation], inviters: {}, status: 'pending' as const, teams: [], acceptURL: '' }}
    />
  ),
  teams: <OrganizationSettings section="teams" {...frame} {...teams} />,
  'teams, none': <OrganizationSettings section="teams" {...frame} teams={[]} people={[ada]} />,
  'teams, rename refused': (
    <OrganizationSettings
      section="teams"
      {...frame}
      {...teams}
      state={{ form: 'team-rename', fields: { name: 'NAME_REQUIRED' }, values: { teamId: 'team1', name: '' } }}
    />
  ),
  'teams, for a member': <OrganizationSettings section="teams" {...asMember} {...teams} />,
  roles: <OrganizationSettings section="roles" {...frame} people={[ada, bob]} />,
  'roles, with a person': (
    <OrganizationSettings
      section="roles"
      {...asAdmin}
      people={[ada, bob]}
      preview={{ member: bob, permissions: { team: ['create'], audit: ['read'], own: ['thing'] } }}
    />
  ),
  'roles, refused': (
    <OrganizationSettings
      section="roles"
      {...frame}
      people={[ada]}
      state={{ form: 'role-create', fields: { role: 'INVALID_ROLE_NAME' }, values: { role: 'A B' } }}
    />
  ),
  settings: <OrganizationSettings section="settings" {...frame} domains={[domain]} />,
  'settings, without domains': <OrganizationSettings section="settings" {...frame} domains={[]} />,
  'settings, slug taken': (
    <OrganizationSettings
      section="settings"
      {...frame}
      state={{
        form: 'organization-update',
        fields: { slug: 'ORGANIZATION_ALREADY_EXISTS' },
        values: { name: 'Northwind', slug: 'acme', logo: '' },
      }}
    />
  ),
  'settings, saved': (
    <OrganizationSettings
      section="settings"
      {...frame}
      domains={[{ ...domain, verifiedAt: earlier }]}
      state={{ done: 'organization-saved' }}
    />
  ),
  audit: <OrganizationSettings section="audit" {...frame} {...audit} />,
  'audit, nothing': <OrganizationSettings section="audit" {...frame} {...audit} events={[]} nextCursor={null} />,
  danger: <OrganizationSettings section="danger" {...frame} {...danger} />,
  'danger, old session': (
    <OrganizationSettings
      section="danger"
      {...frame}
      {...danger}
      asksPassword
      state={{ form: 'organization-transfer', code: 'SESSION_IS_NOT_FRESH', values: { memberId: bob.id } }}
    />
  ),
  'danger, old session without a password': (
    <OrganizationSettings
      section="danger"
      {...frame}
      {...danger}
      asksPassword
      hasPassword={false}
      state={{ form: 'organization-transfer', code: 'SESSION_IS_NOT_FRESH', values: { memberId: bob.id } }}
    />
  ),
  'danger, wrong slug': (
    <OrganizationSettings
      section="danger"
      {...frame}
      {...danger}
      state={{
        form: 'organization-delete',
        fields: { confirmation: 'CONFIRMATION_SLUG' },
        values: { confirmation: 'x' },
      }}
    />
  ),
  'danger, for a member': (
    <OrganizationSettings section="danger" {...asMember} people={[]} soleOwner={false} hasPassword />
  ),
  embedded: <OrganizationSettings />,
}

function render(element: ReactElement, messages: PageMessages = locales.en): string {
  const client = createTollgateClient({ initialSession: session })
  return renderToString(
    <TollgateProvider client={client} messages={messages}>
      {element}
    </TollgateProvider>,
  )
}

const text = (html: string) =>
  html
    .replaceAll('<!-- -->', '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replace(/\s+/g, ' ')
const shown = (state: string) => text(render(states[state]!))
const tags = (html: string, name: string) => html.match(new RegExp(`<${name}\\b[^>]*>`, 'g')) ?? []
/** The fields named so, of the forms of one kind. */
const formsNamed = (html: string, name: string) =>
  (html.match(/<form.*?<\/form>/gs) ?? []).filter((form) => form.includes(`name="form" value="${name}"`))

describe.each(Object.entries(locales))('in %s', (tag, messages) => {
  test.each(Object.entries(states))('%s', (_, element) => {
    const html = render(element, messagesFor(messages, 'OrganizationSettings'))

    expect(html).toContain(`lang="${tag}"`)
    expect(html).not.toMatch(/\bundefined\b|\[object|NaN/)
    // A placeholder that was not filled in.
    expect(text(html)).not.toMatch(/\{\w+\}/)
  })
})

describe.each(Object.entries(states))('%s', (_, element) => {
  const html = render(element)

  test('each form is a real one: it posts to its section and names itself, or only queries', () => {
    for (const form of html.match(/<form.*?<\/form>/gs) ?? []) {
      expect(form).toMatch(/^<form[^>]* action="\/org\/northwind(\/[a-z]+)?"/)
      expect(form).toMatch(/<button[^>]*type="submit"/)
      expect(form).not.toMatch(/^<form[^>]*novalidate/i)
      if (/^<form[^>]*method="get"/.test(form)) expect(form).not.toContain('name="form"')
      else expect(form).toMatch(/^<form[^>]*method="post".*?<input type="hidden" name="form" value="[a-z-]+"\/>/s)
    }
  })

  test('ids are unique, every field has a label, and nothing is disabled', () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)

    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
    for (const field of [...tags(html, 'input'), ...tags(html, 'select'), ...tags(html, 'textarea')]) {
      if (/type="hidden"|aria-hidden/.test(field)) continue
      expect(html).toContain(`for="${/ id="([^"]+)"/.exec(field)?.[1]}"`)
    }
    expect(html).not.toMatch(/<(button|input|select|textarea)[^>]* disabled/)
    expect(html).not.toMatch(/ style="/)
  })

  test('one alert and one status are there from the start', () => {
    expect(html.match(/role="alert"/g) ?? []).toHaveLength(1)
    expect(html.match(/role="status"/g) ?? []).toHaveLength(1)
  })
})

describe('the navigation', () => {
  const links = (state: string) =>
    [...render(states[state]!).matchAll(/<nav data-tg="account-nav".*?<\/nav>/gs)]
      .join('')
      .match(/href="[^"]+"/g)
      ?.map((href) => href.slice('href="/org/northwind'.length, -1))

  test('has every section for an owner, with its pending items', () => {
    expect(links('overview')).toEqual([
      '',
      '/members',
      '/invitations',
      '/teams',
      '/roles',
      '/settings',
      '/audit',
      '/danger',
    ])
    expect(shown('overview')).toContain('Members 14 Invitations 3')
  })

  test('says when the newest members joined', () => {
    expect(shown('overview')).toContain('Joined: 3 days ago')
  })

  test('leads to the organization’s selling pages, for members who have a permission there', () => {
    const sold = <OrganizationSettings section="overview" {...frame} dashboard="/dashboard/northwind" newest={[]} />

    expect(render(sold)).toContain('<a href="/dashboard/northwind">Selling</a>')
    expect(render(states.overview!)).not.toContain('/dashboard/')
  })

  test('omits what a member may not see', () => {
    expect(links('members, for a member')).toEqual(['', '/members', '/invitations', '/teams', '/roles', '/danger'])
  })
})

describe('the next step of a new organization', () => {
  const alone = { ...frame, counts: { ...frame.counts, members: 1, invitations: 0, requests: 0 } }
  const created = { done: 'organization-created' as const }
  const primary = (element: ReactElement) => {
    const links = render(element).match(/<a\b[^>]*data-look="primary"[^>]*>/g) ?? []
    return links.map((link) => /href="([^"]*)"/.exec(link)?.[1])
  }
  const overview = (data: OrganizationFrame, state?: typeof created) => (
    <OrganizationSettings section="overview" {...data} newest={[]} {...(state && { state })} />
  )

  test('is its first product where it sells', () => {
    expect(primary(overview({ ...alone, dashboard: '/dashboard/northwind' }, created))).toEqual([
      '/dashboard/northwind/products/new',
    ])
  })

  test('is to invite people elsewhere, until there are some', () => {
    expect(primary(overview(alone, created))).toEqual(['/org/northwind/invitations'])
    expect(primary(overview(alone))).toEqual(['/org/northwind/invitations'])
    expect(primary(overview(frame))).toEqual([])
    expect(primary(overview({ ...alone, ...asMember, counts: alone.counts }))).toEqual([])
  })
})

describe('members', () => {
  const boxes = (state: string, person: PageMember) =>
    formsNamed(render(states[state]!), 'member-role')
      .filter((form) => form.includes(`value="${person.id}"`))
      .flatMap((form) => form.match(/name="role\.\w+"/g) ?? [])
      .map((name) => name.slice(11, -1))

  test('an owner may give every role, an administrator none above their own', () => {
    expect(boxes('members', eve)).toEqual(['owner', 'admin', 'billing', 'member', 'auditor'])
    expect(boxes('members, for an administrator', eve)).toEqual(['admin', 'billing', 'member', 'auditor'])
  })

  test('members above the viewer cannot be changed or removed, and the page explains why', () => {
    const html = render(states['members, for an administrator']!)

    expect(boxes('members, for an administrator', ada)).toEqual([])
    expect(formsNamed(html, 'member-remove').join('')).not.toContain(ada.id)
    expect(text(html)).toContain('Has a role above yours')
  })

  test('the only owner sees before trying: the role stays, and leaving waits', () => {
    const own = formsNamed(render(states.members!), 'member-role').find((form) => form.includes(ada.id)) ?? ''

    expect(own).toContain('<input type="hidden" name="role.owner" value="on"/>')
    // In the row, and beside the roles.
    expect(shown('members').match(/Make another member an owner before you remove this role\./g)).toHaveLength(2)
    expect(shown('members')).toContain('Transfer ownership before you leave')
    expect(formsNamed(render(states.members!), 'organization-leave')).toEqual([])
  })

  test('a member can only leave', () => {
    const html = render(states['members, for a member']!)

    expect(formsNamed(html, 'member-role')).toEqual([])
    expect(formsNamed(html, 'member-remove')).toEqual([])
    expect(formsNamed(html, 'organization-leave')).toHaveLength(1)
  })

  test('the form that was refused stands open, with its reason above', () => {
    const html = render(states['members, refused']!)

    expect(html.match(/<details[^>]* open=""/g)).toHaveLength(1)
    expect(text(html)).toContain('This role no longer exists.')
  })

  test('pages continue with the search', () => {
    const html = render(
      <OrganizationSettings
        section="members"
        {...frame}
        {...{ ...members, search: 'a', role: 'admin', offset: 25, total: 70 }}
      />,
    )

    expect(html).toContain('href="/org/northwind/members?search=a&amp;role=admin&amp;offset=50"')
    expect(html).toContain('href="/org/northwind/members?search=a&amp;role=admin"')
    expect(text(html)).toContain('26–50 of 70')
  })
})

test('a section that is read by the client has its heading while it is', () => {
  const html = render(<OrganizationSettings section="members" />)

  expect(html).toMatch(/<h1[^>]*>Members<\/h1>/)
  expect(text(html)).toContain('Loading…')
})

describe('invitations', () => {
  test('each address that was not invited stands with its reason, and back in the field', () => {
    const html = render(states['invitations, some not sent']!)

    expect(text(html)).toContain('2 invitations have been sent.')
    expect(text(html)).toContain('bob@example.com : Already a member of this organization.')
    expect(html).toMatch(/<textarea[^>]*>bob@example.com\nada<\/textarea>/)
    expect(text(html)).not.toContain('count :')
  })

  test('a member can resend and cancel an open one; an expired one shows it', () => {
    const html = render(states.invitations!)

    expect(formsNamed(html, 'invitation-resend')).toHaveLength(1)
    expect(formsNamed(html, 'invitation-cancel')).toHaveLength(1)
    expect(text(html)).toContain('in 2 days')
    expect(shown('invitations, expired')).toMatch(/joan@example\.com Expired .* 3 days ago/)
  })

  test('a link shows its limits', () => {
    expect(shown('invitations')).toContain('3 of 10 uses')
    expect(shown('invitations')).toContain('Only for example.com')
    expect(shown('invitations')).toContain('Does not expire')
  })

  test('a member who may not invite sees the list and no controls', () => {
    const html = render(states['invitations, for a member']!)

    expect(html.match(/<form[^>]*method="post"/g)).toBeNull()
    expect(text(html)).toContain('joan@example.com')
  })
})

describe('roles', () => {
  test('built-in roles can only be looked at', () => {
    const html = render(states.roles!)

    expect(formsNamed(html, 'role-update')).toHaveLength(1)
    expect(formsNamed(html, 'role-update')[0]).toContain('name="roleId" value="role1"')
  })

  test('only permissions that the viewer holds can be ticked', () => {
    const create = formsNamed(render(states['roles, with a person']!), 'role-create')[0] ?? ''

    expect(create).toContain('name="permission.team.create"')
    expect(create).not.toContain('name="permission.organization.delete"')
  })

  test('permissions are shown as sentences, and by name where there are none', () => {
    expect(shown('roles, with a person')).toContain(
      'bob (Administrator, auditor) can: own: thing Create teams Read the audit log',
    )
  })
})

describe('danger', () => {
  test('an old session asks for the password, and keeps the chosen member', () => {
    const form = formsNamed(render(states['danger, old session']!), 'organization-transfer')[0] ?? ''

    expect(form).toContain('name="password"')
    expect(form).toMatch(/<option[^>]*selected=""[^>]*>bob/)
    expect(formsNamed(render(states.danger!), 'organization-transfer')[0]).not.toContain('name="password"')
  })

  test('a user without a password signs in again, and returns', () => {
    const html = render(states['danger, old session without a password']!)

    expect(formsNamed(html, 'organization-transfer')).toEqual([])
    expect(html).toContain('href="/sign-in?switch=1&amp;callbackURL=%2Forg%2Fnorthwind%2Fdanger"')
    expect(text(html)).toContain('You signed in a while ago. Sign in again to continue.')
  })

  test('deleting wants the slug, and is for owners', () => {
    expect(shown('danger, wrong slug')).toContain('Type northwind to confirm.')
    expect(formsNamed(render(states['danger, for a member']!), 'organization-delete')).toEqual([])
  })
})

test.each([
  [
    'member.role_changed',
    { before: 'member', after: 'admin' },
    'Roles of a member changed: Eve · Member → Administrator',
  ],
  ['team.updated', { name: 'Crew', before: 'Design' }, 'Team renamed: Eve · Design → Crew'],
  ['role.updated', { role: 'auditor', roleBefore: 'auditor' }, 'Role changed: Eve · auditor'],
  ['organization.updated', { fields: 'name,requireVerifiedEmail' }, 'Settings changed: Eve · Name, Access'],
  ['invitation.created', { email: 'x@example.com', role: 'member' }, 'Invitation sent: Eve · x@example.com · Member'],
])('the event %s carries the changes', (type, data, sentence) => {
  const html = render(<OrganizationSettings section="audit" {...frame} {...audit} events={[event(type, data)]} />)

  expect(text(html)).toContain(sentence)
})

test('events name the action, its object and its actor; unknown ones show their name', () => {
  expect(shown('audit')).toContain('Member added: Eve · Administrator')
  expect(shown('audit')).toContain('brand.new: Eve')
  expect(shown('audit')).toContain('By Ada Lovelace')
})

test('events about people outside the organization carry no more than that, or that they administer the site', () => {
  const gone = { ...event('member.removed'), actor: null, user: null }
  const lines = [gone, { ...gone, id: 'other', byAdministrator: true }, { ...gone, id: 'third', actorId: null }].map(
    (one) => text(render(<OrganizationSettings section="audit" {...frame} {...audit} events={[one]} />)),
  )

  for (const line of lines) expect(line).toContain('Member removed: a person outside the organization')
  expect(lines[0]).toContain('By a person outside the organization')
  expect(lines[1]).toContain('By an administrator of this site')
  expect(lines[2]).toContain('By the server')
})

test('further data is edited in rows, and as JSON where nothing runs', () => {
  const form = formsNamed(render(states.settings!), 'organization-metadata')[0] ?? ''

  expect(form).toContain('value="pro"')
  expect(form).toContain('&quot;seats&quot;: 3')
  // Only the text is sent without JavaScript: the rows have no names.
  expect(form.match(/ name="[^"]+"/g)).toEqual([' name="form"', ' name="metadata"'])
})
