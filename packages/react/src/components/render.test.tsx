import { createEntranceClient, createTollgateClient } from '@tollgate/client'
import type { Session, User } from '@tollgate/contract/types'
import { cloneElement, type ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import {
  AccountDeleted,
  AccountSettings,
  ConfirmEmailChange,
  type Connection,
  callbackErrorText,
  DeleteAccount,
  ErrorPage,
  ForgotPassword,
  format,
  HazardStripe,
  ImpersonationBanner,
  ImpersonationNotice,
  MagicLink,
  MagicLinkSent,
  messagesFor,
  OrganizationSwitcher,
  type PageMessages,
  ProviderMark,
  ResetPassword,
  SignedIn,
  SignedOut,
  SignIn,
  SignUp,
  TollgateProvider,
  UserButton,
  VerifyEmail,
} from '../index.ts'
import * as locales from '../locales/index.ts'

const user: User = {
  id: 'user1',
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  image: null,
  emailVerified: true,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
}

const aSession = (id: string, userAgent: string | null): Session => ({
  id,
  userId: user.id,
  token: `token-${id}`,
  expiresAt: '2026-11-27T10:00:00.000Z',
  createdAt: '2026-11-17T10:00:00.000Z',
  updatedAt: '2026-11-18T10:00:00.000Z',
  ipAddress: '203.0.113.7',
  userAgent,
  activeOrganizationId: null,
  activeTeamId: null,
  impersonatedBy: null,
})

const sessions = [
  aSession('a', 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'),
  aSession('b', 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'),
  aSession('c', null),
]

const answer = {
  session: sessions[0]!,
  user: {
    ...user,
    role: 'user',
    banned: false,
    banReason: null,
    banExpires: null,
    username: null,
    displayUsername: null,
  },
}

function render(element: ReactElement, messages: PageMessages = locales.en, signedIn = false): string {
  const client = createTollgateClient({ initialSession: signedIn ? answer : null })
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
    .replace(/\s+/g, ' ')

const providers = [
  { id: 'google', name: 'Google' },
  { id: 'github', name: 'GitHub' },
  { id: 'staff', name: 'Staff directory' },
]
const many = [
  ...providers,
  ...['apple', 'microsoft', 'discord', 'gitlab'].map((id) => ({ id, name: id.toUpperCase() })),
]
const mark = (id: string) => <ProviderMark id={id} />
const everyWay = { providers, mark, username: true, magicLink: true }

const connection = (id: string, provider: string, scopes: string[] = []): Connection => ({
  id,
  provider,
  providerId: provider,
  accountId: `${provider}-1`,
  userId: user.id,
  scopes,
  createdAt: '2026-01-02T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
})
const password = connection('row1', 'credential')
const github = connection('row2', 'github', ['user:email'])
const stale = { form: 'unlink-account', code: 'SESSION_IS_NOT_FRESH', values: { accountId: 'row2' } } as const

const account = { user, sessions, currentSessionId: 'a', now: '2026-11-20T10:00:00.000Z' }

const noPurchases = { subscriptions: [], subscriptionCount: 0, voided: [], due: [], paymentMethodCount: 0 }
const noOrganizations = { blocking: [], ending: [], purchases: noPurchases }
const purchased = {
  seller: 'Acme',
  amount: 900,
  currency: 'usd',
  recurringInterval: 'month' as const,
  recurringIntervalCount: 1,
}
const solo = { id: 'o1', name: 'Solo Ltd', slug: 'solo' }
const shared = { id: 'o2', name: 'Shared', slug: 'shared' }

const states: Record<string, ReactElement> = {
  'sign in': <SignIn />,
  'sign in, refused': <SignIn state={{ code: 'INVALID_EMAIL_OR_PASSWORD', values: { email: user.email } }} />,
  'sign in, unverified': <SignIn state={{ code: 'EMAIL_NOT_VERIFIED', values: { email: user.email } }} />,
  'sign in, limited': <SignIn state={{ code: 'TOO_MANY_REQUESTS', retryAfter: 42 }} />,
  'sign in, unknown refusal': <SignIn state={{ code: 'NEVER_HEARD_OF', message: 'The moon is full' }} />,
  'sign in, fields': <SignIn state={{ fields: { email: 'INVALID_EMAIL', password: 'PASSWORD_REQUIRED' } }} />,
  'sign in, after reset': <SignIn state={{ done: 'password-reset' }} />,
  'sign in, after verification': <SignIn state={{ done: 'email-verified' }} />,
  'sign in, after sign-out': <SignIn state={{ done: 'signed-out' }} />,
  'sign in, after deletion': <SignIn state={{ done: 'account-deleted' }} />,
  'sign up, already': <SignUp signedInAs={user} callbackURL="/app" />,
  'sign up, the administrator': <SignUp setupToken="token" />,
  'sign up, the link is over': <SignUp setupToken="token" isSetupOver />,
  'sign in, already': <SignIn signedInAs={user} callbackURL="/app" />,
  'sign in, every way': <SignIn {...everyWay} lastMethod="github" />,
  'sign in, many providers': <SignIn providers={many} lastMethod="password" />,
  'sign in, providers only': <SignIn providers={providers.slice(0, 2)} password={false} signUp={false} />,
  'sign in, link only': <SignIn magicLink password={false} />,
  'sign in, link refused': (
    <SignIn
      {...everyWay}
      state={{ form: 'magic-link', fields: { email: 'INVALID_EMAIL' }, values: { email: 'ada' } }}
    />
  ),
  'sign in, provider away': <SignIn {...everyWay} state={{ form: 'social-sign-in', code: 'SERVICE_UNAVAILABLE' }} />,
  'sign in, redirected': <SignIn {...everyWay} error={{ code: 'banned', text: 'This account is blocked.' }} />,
  'sign up, every way': <SignUp providers={providers} mark={mark} username />,
  'sign up, providers only': <SignUp providers={providers} password={false} />,
  'link sent': <MagicLinkSent email={user.email} />,
  'link sent, wrong code': (
    <MagicLinkSent email={user.email} state={{ form: 'magic-link-code', fields: { code: 'INVALID_OTP' } }} />
  ),
  'link sent, again': <MagicLinkSent email={user.email} state={{ form: 'magic-link', done: 'resent' }} />,
  'link, ready': <MagicLink status="ready" token="abc" email={user.email} />,
  'link, unknown': <MagicLink status="ready" token="abc" />,
  'link, expired': <MagicLink status="expired" />,
  'link, invalid': <MagicLink status="invalid" />,
  connections: <AccountSettings section="connections" {...account} {...{ providers }} accounts={[password, github]} />,
  'connections, last': (
    <AccountSettings section="connections" {...account} {...{ providers }} accounts={[github]} hasPassword={false} />
  ),
  'connections, loading': <AccountSettings section="connections" {...account} {...{ providers }} />,
  'connections, stale': (
    <AccountSettings
      section="connections"
      {...account}
      {...{ providers }}
      accounts={[password, github]}
      state={stale}
    />
  ),
  'connections, stale without password': (
    <AccountSettings
      section="connections"
      {...account}
      {...{ providers }}
      accounts={[connection('row3', 'google'), github]}
      hasPassword={false}
      state={stale}
    />
  ),
  'profile, no address': (
    <AccountSettings
      section="profile"
      {...account}
      user={{ ...user, email: '1@reddit.invalid', emailVerified: false }}
    />
  ),
  'sign up': <SignUp />,
  'sign up, refused': <SignUp state={{ fields: { email: 'USER_ALREADY_EXISTS', password: 'PASSWORD_TOO_SHORT' } }} />,
  'sign up, closed': <SignUp closed />,
  'forgot password': <ForgotPassword />,
  'forgot password, sent': <ForgotPassword state={{ done: 'sent', values: { email: user.email } }} />,
  'reset password': <ResetPassword token="abc" email={user.email} />,
  'reset password, refused': <ResetPassword token="abc" state={{ fields: { newPassword: 'PASSWORD_TOO_LONG' } }} />,
  'reset password, dead link': <ResetPassword error="INVALID_TOKEN" />,
  'reset password, done': <ResetPassword token="abc" state={{ done: 'reset' }} />,
  'verify, sent': <VerifyEmail status="sent" email={user.email} />,
  'verify, sent without address': <VerifyEmail status="sent" />,
  'verify, sent again': <VerifyEmail status="sent" email={user.email} state={{ done: 'resent' }} />,
  'verify, verified': <VerifyEmail status="verified" />,
  'verify, verified for somebody else': (
    <VerifyEmail status="verified" email="bob@example.com" signedInAs={user.email} />
  ),
  'verify, unconfirmed': <VerifyEmail status="unconfirmed" email={user.email} />,
  'verify, already': <VerifyEmail status="already" />,
  'verify, expired': <VerifyEmail status="expired" email={user.email} />,
  'verify, expired without address': <VerifyEmail status="expired" />,
  'verify, invalid': <VerifyEmail status="invalid" email={user.email} />,
  'verify, no account': <VerifyEmail status="user_not_found" />,
  'verify, someone else': <VerifyEmail status="unauthorized" />,
  'error, none': <ErrorPage />,
  'error, known': <ErrorPage code="account_not_linked" />,
  'error, unknown': <ErrorPage code="<script>alert(1)</script>" />,
  profile: <AccountSettings section="profile" {...account} />,
  'profile, unverified': <AccountSettings section="profile" {...account} user={{ ...user, emailVerified: false }} />,
  'profile, saved': <AccountSettings section="profile" {...account} state={{ form: 'profile', done: 'saved' }} />,
  'profile, address refused': (
    <AccountSettings
      section="profile"
      {...account}
      state={{ form: 'change-email', fields: { newEmail: 'EMAIL_IS_THE_SAME' }, values: { newEmail: user.email } }}
    />
  ),
  'profile, mail sent again': (
    <AccountSettings
      section="profile"
      {...account}
      user={{ ...user, emailVerified: false }}
      state={{ form: 'resend-verification', done: 'resent' }}
    />
  ),
  'profile, address requested': (
    <AccountSettings section="profile" {...account} state={{ form: 'change-email', done: 'email-requested' }} />
  ),
  security: <AccountSettings section="security" {...account} />,
  'security, without password': <AccountSettings section="security" {...account} hasPassword={false} />,
  'security, mail sent': (
    <AccountSettings
      section="security"
      {...account}
      hasPassword={false}
      state={{ form: 'set-password', done: 'reset-mail-sent' }}
    />
  ),
  'security, refused': (
    <AccountSettings
      section="security"
      {...account}
      state={{ form: 'change-password', fields: { currentPassword: 'INVALID_PASSWORD' } }}
    />
  ),
  'security, changed': (
    <AccountSettings section="security" {...account} state={{ form: 'change-password', done: 'password-changed' }} />
  ),
  sessions: <AccountSettings section="sessions" {...account} />,
  'sessions, one': <AccountSettings section="sessions" {...account} sessions={[sessions[0]!]} />,
  'sessions, loading': <AccountSettings section="sessions" user={user} />,
  'sessions, ended': (
    <AccountSettings section="sessions" {...account} state={{ form: 'revoke-session', done: 'session-revoked' }} />
  ),
  'account, loading': <AccountSettings />,
  delete: <AccountSettings section="delete" {...account} preview={noOrganizations} />,
  'delete, loading': <AccountSettings section="delete" {...account} />,
  'delete, own page': (
    <DeleteAccount email={user.email} preview={noOrganizations} consequences={['your two projects are deleted']} />
  ),
  'delete, with an organization': (
    <DeleteAccount email={user.email} preview={{ ...noOrganizations, ending: [solo] }} hasPassword={false} />
  ),
  'delete, kept by an organization': (
    <DeleteAccount email={user.email} preview={{ ...noOrganizations, blocking: [shared], ending: [solo] }} />
  ),
  'delete, with purchases': (
    <DeleteAccount
      email={user.email}
      preview={{
        ...noOrganizations,
        purchases: {
          subscriptions: [
            { ...purchased, id: 's1', product: 'Team plan', currentPeriodEnd: '2031-03-01T00:00:00.000Z' },
            { ...purchased, id: 's2', product: 'Storage', currentPeriodEnd: null },
          ],
          subscriptionCount: 3,
          voided: [{ currency: 'usd', places: 2, count: 1, amount: 900 }],
          due: [{ currency: 'eur', places: 2, count: 1, amount: 1200 }],
          paymentMethodCount: 1,
        },
      }}
    />
  ),
  'delete, refused': (
    <DeleteAccount
      email={user.email}
      preview={noOrganizations}
      state={{ fields: { confirmation: 'CONFIRMATION_WORD' } }}
    />
  ),
  'delete, mailed': <DeleteAccount email={user.email} state={{ done: 'delete-mail-sent' }} />,
  'delete, done': <AccountDeleted />,
  'address changed': <ConfirmEmailChange status="changed" email={user.email} />,
  'address changed, unnamed': <ConfirmEmailChange status="changed" />,
  'address verified': <ConfirmEmailChange status="verified" email={user.email} />,
  'address change expired': <ConfirmEmailChange status="expired" />,
  'address change invalid': <ConfirmEmailChange status="invalid" />,
  'address change, signed out': <ConfirmEmailChange status="unauthorized" />,
  'hazard stripe': <HazardStripe />,
}

describe.each(Object.entries(locales))('in %s', (tag, messages) => {
  test.each(Object.entries(states))('%s', (_, element) => {
    const html = render(element, messages)

    expect(html).toContain(`lang="${tag}"`)
    expect(html).not.toMatch(/\bundefined\b|\[object|NaN/)
    // A placeholder that was not filled in.
    expect(text(html)).not.toMatch(/\{\w+\}/)
  })
})

describe('the effect of deleting an account on organizations', () => {
  test('one without other members is listed among the consequences', () => {
    const html = render(states['delete, with an organization']!)

    expect(text(html)).toContain('the organization Solo Ltd is deleted, because it has no other members')
    expect(html).toContain('<form')
  })

  test('one that others need stands in place of the form', () => {
    const html = render(states['delete, kept by an organization']!)

    expect(html).toContain('href="/org/shared/danger"')
    expect(html).not.toContain('<form')
    expect(text(html)).not.toContain('Solo Ltd')
  })

  test('nothing can be deleted before it is known', () => {
    expect(render(states['delete, loading']!)).not.toContain('<form')
  })
})

const tags = (html: string, name: string) => html.match(new RegExp(`<${name}\\b[^>]*>`, 'g')) ?? []
const inputNamed = (html: string, name: string) =>
  tags(html, 'input').find((tag) => tag.includes(` name="${name}"`)) ?? ''

describe('every page with a form', () => {
  const forms = Object.entries(states).filter(([, element]) => render(element).includes('<form'))

  test.each(forms)('%s: each form has an action and names itself', (_, element) => {
    const html = render(element)

    for (const form of html.match(/<form.*?<\/form>/gs) ?? []) {
      expect(form).toMatch(/^<form[^>]* action="\/[^"]*"/)
      expect(form).toMatch(/^<form[^>]* method="post"/)
      expect(form).toMatch(/<input type="hidden" name="form" value="[a-z-]+"\/>/)
      expect(form).toMatch(/<button[^>]* type="submit"|<button type="submit"/)
      // The browser's own checks are all there is without JavaScript.
      expect(form).not.toContain('novalidate')
    }
  })

  test.each(forms)('%s: ids are unique, and every visible field has a label', (_, element) => {
    const html = render(element)
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)

    expect(new Set(ids).size).toBe(ids.length)
    for (const input of tags(html, 'input')) {
      if (/type="hidden"|aria-hidden/.test(input)) continue
      expect(html).toContain(`for="${/ id="([^"]+)"/.exec(input)?.[1]}"`)
    }
  })

  test.each(Object.entries(states))(
    '%s: nothing is disabled, and no style attribute waits for the policy',
    (_, element) => {
      const html = render(element)

      expect(html).not.toMatch(/<(button|input)[^>]* disabled/)
      expect(html).not.toMatch(/ style="/)
    },
  )
})

describe('live regions', () => {
  const pages = Object.entries(states).filter(([name]) => !/hazard|error|account, loading/.test(name))

  test.each(pages)('%s: one alert and one status, there from the start', (_, element) => {
    const html = render(element)

    expect(html.match(/role="alert"/g)).toHaveLength(1)
    expect(html.match(/role="status"/g)).toHaveLength(1)
  })
})

describe('attributes for password managers and phones', () => {
  test.each([
    [
      'sign in',
      'email',
      [
        'type="email"',
        'autoComplete="username webauthn"',
        'autoCapitalize="none"',
        'spellCheck="false"',
        'inputMode="email"',
        'id="email"',
      ],
    ],
    ['sign in', 'password', ['type="password"', 'autoComplete="current-password"', 'id="password"']],
    ['sign up', 'name', ['autoComplete="name"', 'id="name"']],
    ['sign up', 'email', ['type="email"', 'autoComplete="email"', 'autoCapitalize="none"']],
    [
      'sign up',
      'password',
      ['autoComplete="new-password"', 'passwordrules="minlength: 8; maxlength: 128;"', 'minLength="8"'],
    ],
    ['forgot password', 'email', ['autoComplete="username"', 'type="email"']],
    [
      'reset password',
      'username',
      ['autoComplete="username"', 'value="ada@example.com"', 'readOnly=""', 'tabindex="-1"'],
    ],
    ['reset password', 'newPassword', ['autoComplete="new-password"', 'passwordrules=']],
    ['security', 'username', ['autoComplete="username"']],
    ['security', 'currentPassword', ['autoComplete="current-password"']],
    ['security', 'newPassword', ['autoComplete="new-password"']],
    ['profile', 'newEmail', ['autoComplete="email"', 'type="email"']],
    ['profile', 'name', ['autoComplete="name"', 'value="Ada Lovelace"']],
    ['delete', 'confirmation', ['autoComplete="off"']],
    ['delete', 'password', ['autoComplete="current-password"']],
  ])('%s: %s', (state, name, attributes) => {
    const input = inputNamed(render(states[state]!), name)

    for (const attribute of attributes) expect(input).toContain(attribute)
  })

  test('a password is hidden, never rendered, and shown by a button after it', () => {
    const html = render(
      <SignIn state={{ code: 'INVALID_EMAIL_OR_PASSWORD', values: { email: 'a@b.c', password: 'hunter2' } }} />,
    )
    const after = html.slice(html.indexOf(' name="password"'))

    expect(html).not.toContain('value="hunter2"')
    expect(after).toMatch(/<button type="button"[^>]*aria-label="Show password" aria-pressed="false"/)
  })

  test('in every language the name of the show button contains its visible text', () => {
    for (const { common, sessions: texts } of Object.values(locales)) {
      const named = format(texts.signOutNamed, 'en', { device: 'X' })
      expect(common.showPassword.toLowerCase()).toContain(common.show.toLowerCase().slice(0, 5))
      expect(named.toLowerCase()).toContain(texts.signOutOne.toLowerCase())
    }
  })
})

describe('refusals', () => {
  test('a field’s message is tied to it, and the value stays', () => {
    const html = render(
      <SignUp state={{ fields: { email: 'INVALID_EMAIL' }, values: { email: 'ada@', name: 'Ada' } }} />,
    )
    const email = inputNamed(html, 'email')

    expect(email).toContain('aria-invalid="true"')
    expect(email).toContain('aria-describedby="email-error"')
    expect(email).toContain('value="ada@"')
    expect(inputNamed(html, 'name')).toContain('value="Ada"')
    expect(html).toContain('id="email-error"')
  })

  test('more than one field is counted above the form', () => {
    expect(text(render(states['sign in, fields']!))).toContain('2 fields need a correction.')
  })

  test('the wait is announced once, and counted on the button', () => {
    const html = render(states['sign in, limited']!)

    expect(text(html)).toContain('Too many attempts. Try again in 42 seconds.')
    expect(html).toMatch(/<button type="submit"[^>]*aria-disabled="true"[^>]*>Try again in 0:42/)
  })

  test('an unknown code shows the server’s message', () => {
    expect(text(render(states['sign in, unknown refusal']!))).toContain('The moon is full')
  })

  test('a box that was cleared stays cleared', () => {
    const cleared = render(<SignIn state={{ code: 'INVALID_EMAIL_OR_PASSWORD', values: { email: 'a@b.c' } }} />)
    const ticked = render(
      <SignIn state={{ code: 'INVALID_EMAIL_OR_PASSWORD', values: { email: 'a@b.c', rememberMe: 'on' } }} />,
    )

    expect(inputNamed(cleared, 'rememberMe')).not.toContain('checked')
    expect(inputNamed(ticked, 'rememberMe')).toContain('checked')
    expect(inputNamed(render(<SignIn />), 'rememberMe')).toContain('checked')
  })

  test('a state about one form does not show on the others of the page', () => {
    const html = render(states['profile, address refused']!)

    expect(html.match(/aria-invalid/g)).toHaveLength(1)
    expect(text(html)).toContain('That is already your address.')
  })
})

describe('links', () => {
  test('where to go afterwards travels through sign-in, sign-up and the forms', () => {
    const html = render(<SignIn callbackURL="/app?x=1" />)

    expect(html).toContain('href="/sign-up?callbackURL=%2Fapp%3Fx%3D1"')
    expect(html).toContain('<input type="hidden" name="callbackURL" value="/app?x=1"/>')
  })

  test('the paths can be others', () => {
    const html = renderToString(
      <TollgateProvider client={createTollgateClient()} messages={locales.en} paths={{ signUp: '/join' }}>
        <SignIn action="/login" />
      </TollgateProvider>,
    )

    expect(html).toContain('href="/join"')
    expect(html).toContain('action="/login"')
  })

  test('the error page leads to the application and shows the code as text', () => {
    const html = render(states['error, unknown']!)

    expect(html).toContain('href="/"')
    expect(text(html)).toContain('Return to Application')
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(html).not.toContain('<script>')
    expect(text(render(<ErrorPage />))).toContain('Unknown')
    expect(text(html)).not.toContain('Unknown')
  })

  test.each([
    ['profile, unverified', {}, true],
    ['profile, mail sent again', {}, false],
    ['profile', {}, false],
    ['profile, unverified', { features: { verification: false } }, false],
    ['profile, unverified', { user: { ...user, email: 'x1@reddit.invalid', emailVerified: false } }, false],
  ])('%s with %j announces a mail with a link to follow: %j', (name, further, says) => {
    const page = states[name]!

    const html = render(cloneElement(page as ReactElement<object>, further)) // any member of the account's settings

    expect(text(html).includes('follow the link in our mail.')).toBe(says)
  })

  test('the development inbox is linked where a mail was sent, and only there', () => {
    expect(render(states['verify, sent']!)).toContain('href="/dev/inbox"')
    expect(render(states['forgot password, sent']!)).toContain('href="/dev/inbox"')
    expect(render(states['profile, unverified']!)).toContain('href="/dev/inbox"')
    expect(render(states['profile, address requested']!)).toContain('href="/dev/inbox"')
    expect(render(states['security, mail sent']!)).toContain('href="/dev/inbox"')
    expect(render(states.profile!)).not.toContain('/dev/inbox')
    expect(render(states.security!)).not.toContain('/dev/inbox')
    expect(render(<SignIn />)).not.toContain('/dev/inbox')
  })
})

describe('devices', () => {
  test('they are named, this one comes first and cannot be signed out here', () => {
    const html = render(<AccountSettings section="sessions" {...account} currentSessionId="b" />)
    const shown = text(html)

    expect(shown.indexOf('Chrome 141 on Windows')).toBeLessThan(shown.indexOf('Firefox 143 on Linux'))
    expect(shown).toContain('Chrome 141 on Windows This device')
    expect(shown).toContain('Unknown device')
    expect(shown).toContain('Last active 2 days ago')
    expect(html).toContain('aria-label="Sign out Firefox 143 on Linux"')
    expect(html).toContain('name="token" value="token-a"')
    expect(html).not.toContain('name="token" value="token-b"')
  })
})

describe('who is signed in', () => {
  const parts = (
    <>
      <SignedIn>inside</SignedIn>
      <SignedOut>outside</SignedOut>
      <UserButton />
    </>
  )

  test('the user button names the account, and signs out by a form', () => {
    const html = render(parts, locales.en, true)

    expect(html).toContain('inside')
    expect(html).not.toContain('outside')
    expect(html).toContain('aria-label="Account of Ada Lovelace"')
    expect(html).toMatch(/popoverTarget="tg-user-menu"/i)
    expect(html).toMatch(/<form[^>]*action="\/sign-out"/)
  })

  test('a visitor sees nothing of it', () => {
    const html = render(parts)

    expect(html).toContain('outside')
    expect(html).not.toContain('inside')
    expect(html).not.toContain('<button')
  })
})

describe('messages', () => {
  test('the groups named for a component are all that it needs', () => {
    const { en } = locales
    render(<SignIn />, messagesFor(en, 'SignIn'))
    render(<SignUp />, messagesFor(en, 'SignUp'))
    render(<ForgotPassword />, messagesFor(en, 'ForgotPassword'))
    render(<ResetPassword token="abc" />, messagesFor(en, 'ResetPassword'))
    render(states['verify, expired']!, messagesFor(en, 'VerifyEmail'))
    render(<ErrorPage />, messagesFor(en, 'ErrorPage'))
    render(<DeleteAccount email="a@b.c" />, messagesFor(en, 'DeleteAccount'))
    render(<ConfirmEmailChange status="changed" />, messagesFor(en, 'ConfirmEmailChange'))
    render(<UserButton administers />, messagesFor(en, 'UserButton'), true)
    for (const section of ['profile', 'security', 'sessions', 'delete'] as const) {
      render(<AccountSettings section={section} {...account} />, messagesFor(en, 'AccountSettings'))
    }
  })

  test('a missing group is named', () => {
    expect(() => render(<SignIn />, messagesFor(locales.en, 'ErrorPage'))).toThrow('"signIn"')
  })

  test('a component without a provider names the missing one', () => {
    expect(() => renderToString(<SignIn />)).toThrow('<TollgateProvider>')
  })
})

describe('ways to sign in', () => {
  const buttons = (html: string) =>
    tags(html, 'button').flatMap((tag) => (tag.includes('name="provider"') ? [/value="(\w+)"/.exec(tag)?.[1]] : []))

  test('one or two providers show full labels, up to six form a grid, and of more five are visible at first', () => {
    const two = render(<SignIn providers={many.slice(0, 2)} />)
    const six = render(<SignIn providers={many.slice(0, 6)} />)
    const seven = render(<SignIn providers={many} />)

    expect(text(two)).toContain('Continue with Google')
    expect(text(six)).not.toContain('Continue with')
    expect(six).not.toContain('<details')
    expect(buttons(six)).toHaveLength(6)
    expect(buttons(seven.split('<details')[0] ?? '')).toHaveLength(5)
    expect(buttons(seven)).toEqual(many.map(({ id }) => id))
  })

  test('the button for a link posts the form under its own name, and asks for no password', () => {
    const html = render(<SignIn magicLink />)
    const form = /<form[^>]*data-tg="form".*?<\/form>/s.exec(html)?.[0] ?? ''

    // Of two fields with one name the first counts: the pressed button's before the form's own.
    expect([...form.matchAll(/<(?=[^>]*name="form")[^>]*value="([\w-]+)"/g)].map(([, name]) => name)).toEqual([
      'magic-link',
      'sign-in',
    ])
    expect(/<button[^>]*value="magic-link"[^>]*>/.exec(form)?.[0]).toContain('formNoValidate')
  })

  test('Enter in a field signs in: the first button of the form is the one for it', () => {
    const form = /<form[^>]*data-tg="form".*?<\/form>/s.exec(render(<SignIn magicLink />))?.[0] ?? ''

    expect(/<button type="submit"[^>]*>/.exec(form)?.[0]).not.toContain('value="magic-link"')
  })

  test('the first field is for either only where there are usernames', () => {
    expect(render(<SignIn username />)).toMatch(/<input[^>]*type="text"[^>]*autoComplete="username webauthn"/)
    expect(render(<SignIn />)).toMatch(/<input[^>]*type="email"[^>]*autoComplete="username webauthn"/)
  })

  test('the way used last is marked once', () => {
    for (const method of ['github', 'password', 'magic-link'])
      expect(render(<SignIn {...everyWay} lastMethod={method} />).match(/Last used/g)).toHaveLength(1)
    expect(render(<SignIn {...everyWay} lastMethod="elsewhere" />)).not.toContain('Last used')
  })

  test('why a redirect failed stands above the form with its code, until something newer does', () => {
    const error = { code: 'banned', text: callbackErrorText('banned', locales.en.errorPage) }

    expect(text(render(<SignIn error={error} />))).toContain('This account is blocked.')
    expect(render(<SignIn error={error} />)).toContain('<code>banned</code>')
    const refused = render(<SignIn error={error} state={{ code: 'INVALID_EMAIL_OR_PASSWORD' }} />)
    expect(text(refused)).not.toContain('This account is blocked.')
    expect(refused).not.toContain('<code>')
  })
})

describe('impersonation', () => {
  const notice = (until: string) =>
    text(render(<ImpersonationNotice name="Ada" until={until} now="2026-01-01T12:00:00.000Z" />))

  test('the remaining time is shown in started minutes, and is never negative', () => {
    expect(notice('2026-01-01T12:00:30.000Z')).toContain('Ends in 1 minute.')
    expect(notice('2026-01-01T12:42:00.000Z')).toContain('Ends in 42 minutes.')
    expect(notice('2026-01-01T11:00:00.000Z')).toContain('Ends in 0 minutes.')
  })

  test('the banner is shown in an impersonation session, and in no other', () => {
    const acting = { ...answer, session: { ...answer.session, impersonatedBy: 'root' } }
    const draw = (initialSession: typeof answer | null) =>
      renderToString(
        <TollgateProvider client={createTollgateClient({ initialSession })} messages={locales.en}>
          <ImpersonationBanner />
        </TollgateProvider>,
      )

    expect(text(draw(acting))).toContain('You are impersonating Ada Lovelace')
    expect(draw(acting)).toContain('action="/stop-impersonating"')
    expect(draw(answer)).not.toContain('You act as')
    expect(draw(null)).not.toContain('You act as')
  })
})

describe('connected accounts', () => {
  test('the only one cannot be removed, and the reason stands in the page', () => {
    const html = render(states['connections, last']!)

    expect(html).toMatch(/<button[^>]*aria-disabled="true"[^>]*>Disconnect/)
    expect(text(html)).toContain('This is your only way to sign in, so you can’t disconnect it.')
    expect(html).toContain('href="/account/security"')
  })

  test('an old session asks for the password, or without one for a new sign-in', () => {
    expect(render(states['connections, stale']!).match(/name="password"/g)).toHaveLength(1)
    const without = render(states['connections, stale without password']!)
    expect(without).not.toContain('name="password"')
    expect(without).toContain('href="/sign-in?switch=1&amp;callbackURL=%2Faccount%2Fconnections"')
  })

  test('an address that only stands for one is shown nowhere', () => {
    const html = render(states['profile, no address']!)

    expect(html).not.toContain('reddit.invalid')
    expect(text(html)).toContain('No address yet')
    expect(text(html)).toContain('Set address')
  })
})

describe('a client with only the sign-in features', () => {
  const draw = (element: ReactElement) =>
    renderToString(
      <TollgateProvider client={createEntranceClient({ initialSession: null })} messages={locales.en}>
        {element}
      </TollgateProvider>,
    )

  test.each(['sign in', 'forgot password, sent', 'link, ready', 'verify, sent'])('is enough for: %s', (name) => {
    expect(draw(states[name]!)).toContain('<h1')
  })

  test('throws with a client of fewer features, already at server rendering', () => {
    expect(() => draw(<OrganizationSwitcher />)).toThrow('This component needs a client of `createTollgateClient`.')
  })
})
