import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { FreshDatabase } from '../faults/databases.ts'
import { type ServerProcess, startServer, until } from '../faults/server-process.ts'
import { type Person, type Version, versions } from './clients.ts'

const password = 'correct horse battery'
const cookieName = 'better-auth.session_token'

type Mail = { readonly subject: string; readonly links: readonly string[] }

/** Everything that the clients of both versions can ask for, against servers on one database. */
export function clientStory(freshDatabase: () => Promise<FreshDatabase>): void {
  let databases: FreshDatabase[]
  /** As it comes. */
  let server: ServerProcess
  /** Verification before sign-in, cookie cache, deletion without mails. */
  let strict: ServerProcess

  beforeAll(async () => {
    databases = await Promise.all([freshDatabase(), freshDatabase()])
    ;[server, strict] = await Promise.all([
      startServer({ databaseUrl: databases[0]!.url, env: { LOG_LEVEL: 'trace' } }),
      startServer({
        databaseUrl: databases[1]!.url,
        env: { LOG_LEVEL: 'trace' },
        config: {
          emailAndPassword: { requireEmailVerification: true, revokeSessionsOnPasswordReset: false },
          emailVerification: { autoSignInAfterVerification: true },
          user: { deleteUser: { sendVerification: false } },
          session: { cookieCache: { enabled: true } },
        },
      }),
    ])
  })

  afterAll(async () => {
    await Promise.all([server, strict].map((each) => each?.[Symbol.asyncDispose]()))
    await Promise.all((databases ?? []).map((each) => each[Symbol.asyncDispose]()))
  })

  afterEach(() => vi.unstubAllGlobals())

  describe.each(versions)('$name', (version) => {
    test('signs up, is known by its session, signs out and in again', async () => {
      const { client, cookies } = version.person(server.baseURL)
      const email = newAddress()

      const signedUp = await client.signUp.email({ name: 'Ada', email: email.toUpperCase(), password })
      expect(signedUp.error).toBeNull()
      expect(signedUp.data.user).toMatchObject({ name: 'Ada', email, emailVerified: false, image: null })
      expect(signedUp.data.user.createdAt).toBeInstanceOf(Date)
      expect(signedUp.data.token).toMatch(/^[A-Za-z0-9]{32}$/)
      expect(cookies.get(cookieName)?.attributes.get('max-age')).toBe('604800')

      const { data: known } = await client.getSession()
      expect(known.user).toMatchObject({ id: signedUp.data.user.id, email })
      expect(known.session).toMatchObject({ userId: signedUp.data.user.id, token: signedUp.data.token })
      expect(known.session.expiresAt).toBeInstanceOf(Date)
      expect((await client.getSession({ query: { disableCookieCache: true } })).data.user.email).toBe(email)
      expect((await client.getSession({ query: { disableRefresh: true } })).data.user.email).toBe(email)

      expect((await client.signOut()).data).toEqual({ success: true })
      expect(cookies.size).toBe(0)
      expect(await client.getSession()).toMatchObject({ data: null, error: null })

      const signedIn = await client.signIn.email({ email, password })
      expect(signedIn.data).toMatchObject({ redirect: false, user: { email } })
      expect((await client.getSession()).data.user.email).toBe(email)
    })

    test('a session without "remember me" ends with the browser', async () => {
      const { client, cookies } = await signedUp(version, server)
      const { email } = (await client.getSession()).data.user
      await client.signOut()

      await client.signIn.email({ email, password, rememberMe: false })

      expect(cookies.get(cookieName)?.attributes.has('max-age')).toBe(false)
      expect(cookies.has('better-auth.dont_remember')).toBe(true)
      const { session } = (await client.getSession()).data
      expect(session.expiresAt - session.createdAt).toBe(86_400_000)
    })

    test('a callback address comes back as the place to go, and the client goes there', async () => {
      const { client } = await signedUp(version, server)
      const { email } = (await client.getSession()).data.user
      const window = { location: { href: '', origin: server.baseURL } }
      vi.stubGlobal('window', window)

      const { data } = await client.signIn.email({ email, password, callbackURL: '/dashboard' })

      expect(data).toMatchObject({ redirect: true, url: '/dashboard' })
      expect(window.location.href).toBe('/dashboard')
    })

    test('useSession follows sign-up, update, sign-out and sign-in by itself', async () => {
      vi.stubGlobal('window', {})
      const { client, fetch: fetchAsHer } = version.person(server.baseURL)
      const email = newAddress()
      const shown: (string | null)[] = []
      const stop = client.useSession.subscribe(({ data, isPending }) => {
        if (!isPending) shown.push(data?.user.name ?? null)
      })
      const shows = (name: string | null) => until(`useSession shows ${name}`, 5000, () => shown.at(-1) === name)

      await shows(null)
      await client.signUp.email({ name: 'Ada', email, password })
      await shows('Ada')
      await client.updateUser({ name: 'Ada Lovelace' })
      await shows('Ada Lovelace')
      await client.signOut()
      await shows(null)
      await client.signIn.email({ email, password })
      await shows('Ada Lovelace')
      // Another client made the change, and this one must refetch.
      await fetchAsHer(`${server.baseURL}/api/auth/update-user`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"name":"Countess"}',
      })
      client.$store.notify('$sessionSignal')
      await shows('Countess')
      stop()

      expect(client.useSession.get().data.user).toMatchObject({ name: 'Countess', email })
    })

    test('signs up with a username, signs in by it, and changes it', async () => {
      vi.stubGlobal('window', {})
      const { client, cookies } = version.person(server.baseURL)
      const email = newAddress()
      const username = newUsername()
      const shown: (string | null)[] = []
      const stop = client.useSession.subscribe(({ data, isPending }) => {
        if (!isPending) shown.push(data?.user.username ?? null)
      })
      const shows = (name: string | null) => until(`useSession shows ${name}`, 5000, () => shown.at(-1) === name)

      expect((await client.isUsernameAvailable({ username })).data).toEqual({ available: true })
      const signedUp = await client.signUp.email({ name: 'Ada', email, password, username: username.toUpperCase() })
      expect(signedUp.error).toBeNull()
      await shows(username)
      expect((await client.getSession()).data.user).toMatchObject({
        username,
        displayUsername: username.toUpperCase(),
      })
      expect((await client.isUsernameAvailable({ username })).data).toEqual({ available: false })

      await client.signOut()
      await shows(null)
      const signedIn = await client.signIn.username({ username: username.toUpperCase(), password })
      expect(signedIn.error).toBeNull()
      expect(signedIn.data).toMatchObject({
        token: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
        user: { id: signedUp.data.user.id, email, username, name: 'Ada', image: null, emailVerified: false },
      })
      await shows(username)
      expect(cookies.get(cookieName)?.attributes.get('max-age')).toBe('604800')

      const next = newUsername()
      expect((await client.updateUser({ username: next, displayUsername: 'The Countess' })).data).toEqual({
        status: true,
      })
      await shows(next)
      stop()
      expect((await client.getSession()).data.user).toMatchObject({ username: next, displayUsername: 'The Countess' })
      expect((await client.signIn.username({ username, password })).error).toMatchObject({ status: 401 })
      await client.signIn.username({ username: next, password, rememberMe: false })
      expect(cookies.get(cookieName)?.attributes.has('max-age')).toBe(false)
    })

    test('refusals of usernames have the status, the code and the text that the clients know', async () => {
      const ada = await signedUp(version, server)
      const { client } = version.person(server.baseURL)
      const username = newUsername()
      await ada.client.updateUser({ username })
      const short = { status: 422, code: 'USERNAME_IS_TOO_SHORT', message: 'username is too short' }
      const long = { status: 422, code: 'USERNAME_IS_TOO_LONG', message: 'username is too long' }
      const invalid = { status: 422, code: 'USERNAME_IS_INVALID', message: 'username is invalid' }
      const taken = {
        status: 422,
        code: 'USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER',
        message: 'username is already taken. please try another.',
      }
      const wrong = { status: 401, code: 'INVALID_USERNAME_OR_PASSWORD', message: 'invalid username or password' }
      const given = [
        ['ab', short],
        ['a'.repeat(31), long],
        ['not one', invalid],
        [username, taken],
      ] as const

      for (const [name, refusal] of given) {
        const person = { name: 'Eve', email: newAddress(), password, username: name }
        expect((await client.signUp.email(person)).error).toMatchObject(refusal)
        const own = refusal === taken ? (await signedUp(version, server)).client : ada.client
        expect((await own.updateUser({ username: name })).error).toMatchObject(refusal)
        if (refusal !== taken)
          expect((await client.signIn.username({ username: name, password })).error).toMatchObject(refusal)
      }
      for (const attempt of [
        { username: newUsername(), password },
        { username: '', password },
        { username, password: '' },
        { username, password: 'not the one' },
      ])
        expect((await client.signIn.username(attempt)).error).toMatchObject(wrong)
    })

    test('where addresses must be verified, a sign-in by username reveals it after the right password only', async () => {
      const { client } = version.person(strict.baseURL)
      const email = newAddress()
      const username = newUsername()
      await client.signUp.email({ name: 'Ada', email, password, username })

      expect((await client.signIn.username({ username, password: 'not the one' })).error).toMatchObject({ status: 401 })
      await mailsTo(strict, email, 1)
      expect((await client.signIn.username({ username, password })).error).toMatchObject({
        status: 403,
        code: 'EMAIL_NOT_VERIFIED',
        message: 'email not verified',
      })
      await mailsTo(strict, email, 2)
    })

    test('lists and ends sessions: one, the others, all', async () => {
      const phone = await signedUp(version, server)
      const { email } = (await phone.client.getSession()).data.user
      const [laptop, tablet, desk] = await Promise.all(
        ['Laptop', 'Tablet', 'Desk'].map(async (name) => {
          const person = version.person(server.baseURL, name)
          await person.client.signIn.email({ email, password })
          return person
        }),
      )

      const { data: list } = await phone.client.listSessions()
      expect(list).toHaveLength(4)
      expect(list.map((each: { userAgent: string }) => each.userAgent)).toEqual(
        expect.arrayContaining(['Laptop', 'Tablet', 'Desk']),
      )

      const { token } = (await laptop!.client.getSession()).data.session
      expect((await phone.client.revokeSession({ token })).data).toEqual({ status: true })
      expect((await laptop!.client.getSession()).data).toBeNull()
      expect((await phone.client.listSessions()).data).toHaveLength(3)
      expect((await phone.client.revokeSession({ token })).error).toMatchObject({
        status: 400,
        code: 'SESSION_NOT_FOUND',
      })

      expect((await phone.client.revokeOtherSessions()).data).toEqual({ status: true })
      expect((await tablet!.client.getSession()).data).toBeNull()
      expect((await phone.client.getSession()).data.user.email).toBe(email)

      await desk!.client.signIn.email({ email, password })
      expect((await phone.client.revokeSessions()).data).toEqual({ status: true })
      expect((await phone.client.getSession()).data).toBeNull()
      expect((await desk!.client.getSession()).data).toBeNull()
      expect((await desk!.client.listSessions()).error).toMatchObject({ status: 401 })
    })

    test('a user cannot end another user’s session', async () => {
      const [ada, eve] = await Promise.all([signedUp(version, server), signedUp(version, server)])
      const { token } = (await ada.client.getSession()).data.session

      expect((await eve.client.revokeSession({ token })).error).toMatchObject({ status: 401 })

      expect((await ada.client.getSession()).data.session.token).toBe(token)
    })

    test('verifies the address with the mailed link, or by the call', async () => {
      const ada = await signedUp(version, server)
      const { email } = (await ada.client.getSession()).data.user
      const welcome = await linkTo(server, email, 1)

      const followed = await ada.visit(welcome)
      expect(followed.status).toBe(302)
      expect(followed.headers.get('location')).toBe('/')
      expect((await ada.client.getSession()).data.user.emailVerified).toBe(true)

      const bob = await signedUp(version, server)
      const address = (await bob.client.getSession()).data.user.email
      await linkTo(server, address, 1)
      expect(
        (await bob.client.sendVerificationEmail({ email: address, callbackURL: `${server.baseURL}/welcome?from=mail` }))
          .data,
      ).toEqual({ status: true })
      const second = new URL(await linkTo(server, address, 2))
      expect(second.searchParams.get('callbackURL')).toBe(`${server.baseURL}/welcome?from=mail`)
      const verified = await bob.client.verifyEmail({ query: { token: second.searchParams.get('token') } })
      expect(verified.data).toEqual({ status: true, user: null })
      expect((await bob.client.getSession()).data.user.emailVerified).toBe(true)

      const wrong = await bob.client.verifyEmail({ query: { token: 'nonsense' } })
      expect(wrong.error).toMatchObject({ status: 401, code: 'INVALID_TOKEN', message: 'invalid_token' })
      const redirected = await bob.visit(`${server.baseURL}/api/auth/verify-email?token=nonsense&callbackURL=/welcome`)
      expect(redirected.headers.get('location')).toBe('/welcome?error=invalid_token')
    })

    test('a forgotten password is chosen anew with the mailed link, once', async () => {
      const ada = await signedUp(version, server)
      const { email } = (await ada.client.getSession()).data.user
      await linkTo(server, email, 1)

      const asked = await ada.requestReset({ email, redirectTo: '/choose' })
      expect(asked.error).toBeNull()
      expect(asked.data.status).toBe(true)
      const toPage = await ada.visit(await linkTo(server, email, 2))
      const page = new URL(toPage.headers.get('location')!)
      expect(page.origin + page.pathname).toBe(`${server.baseURL}/choose`)
      const token = page.searchParams.get('token')!
      expect(token).toHaveLength(24)

      expect((await ada.client.resetPassword({ newPassword: 'short', token })).error).toMatchObject({
        status: 400,
        code: 'PASSWORD_TOO_SHORT',
        message: 'Password too short',
      })
      expect((await ada.client.resetPassword({ newPassword: 'another long one', token })).data).toEqual({
        status: true,
      })
      expect((await ada.client.getSession()).data).toBeNull()
      expect((await ada.client.resetPassword({ newPassword: 'a third long one', token })).error).toMatchObject({
        status: 400,
        code: 'INVALID_TOKEN',
        message: 'invalid token',
      })
      expect((await ada.client.signIn.email({ email, password })).error?.status).toBe(401)
      expect((await ada.client.signIn.email({ email, password: 'another long one' })).error).toBeNull()

      // The answers do not tell whether an address is known.
      expect((await ada.requestReset({ email: newAddress() })).data).toEqual(asked.data)
      expect((await ada.requestReset({ email, redirectTo: 'https://evil.example' })).error).toMatchObject({
        status: 403,
        code: 'INVALID_REDIRECTURL',
        message: 'Invalid redirectURL',
      })
    })

    test('changes the password; the other sessions end when asked to', async () => {
      const ada = await signedUp(version, server)
      const { email } = (await ada.client.getSession()).data.user
      const other = version.person(server.baseURL)
      await other.client.signIn.email({ email, password })

      expect(
        (await ada.client.changePassword({ currentPassword: 'not it', newPassword: 'a new password' })).error,
      ).toMatchObject({ status: 400, code: 'INVALID_PASSWORD', message: 'Invalid password' })
      const kept = await ada.client.changePassword({ currentPassword: password, newPassword: 'a new password' })
      expect(kept.data).toMatchObject({ token: null, user: { email } })
      expect((await other.client.getSession()).data.user.email).toBe(email)

      const before = (await ada.client.getSession()).data.session.token
      const ended = await ada.client.changePassword({
        currentPassword: 'a new password',
        newPassword: 'the newest password',
        revokeOtherSessions: true,
      })
      expect(ended.data.token).not.toBe(before)
      expect((await ada.client.getSession()).data.session.token).toBe(ended.data.token)
      expect((await other.client.getSession()).data).toBeNull()
    })

    test('changes the address: at once while unverified, then with the consent of its owner', async () => {
      const ada = await signedUp(version, server)
      const first = (await ada.client.getSession()).data.user.email
      const second = newAddress()
      const third = newAddress()

      expect((await ada.client.changeEmail({ newEmail: first })).error).toMatchObject({
        status: 400,
        code: 'EMAIL_IS_THE_SAME',
      })
      expect((await ada.client.changeEmail({ newEmail: second })).data).toEqual({ status: true })
      expect((await ada.client.getSession()).data.user.email).toBe(second)
      await ada.visit(await linkTo(server, second, 1))
      expect((await ada.client.getSession()).data.user.emailVerified).toBe(true)

      expect((await ada.client.changeEmail({ newEmail: third, callbackURL: '/account' })).data).toEqual({
        status: true,
      })
      expect((await ada.client.getSession()).data.user.email).toBe(second)
      const approval = await linkTo(server, second, 2)
      expect((await version.person(server.baseURL).visit(approval)).headers.get('location')).toBe(
        '/account?error=unauthorized',
      )
      expect((await ada.visit(approval)).headers.get('location')).toBe('/account')
      expect((await ada.client.getSession()).data.user).toMatchObject({ email: third, emailVerified: false })
      await ada.visit(await linkTo(server, third, 1))
      expect((await ada.client.getSession()).data.user).toMatchObject({ email: third, emailVerified: true })

      const eve = await signedUp(version, server)
      expect((await eve.client.changeEmail({ newEmail: third })).error).toMatchObject({
        status: 400,
        code: 'COULDNT_UPDATE_YOUR_EMAIL',
        message: "Couldn't update your email",
      })
    })

    test('updates name and picture, and nothing else', async () => {
      const ada = await signedUp(version, server)

      const image = 'https://img.example/ada.png'
      expect((await ada.client.updateUser({ name: 'Countess', image })).data).toEqual({ status: true })
      expect((await ada.client.getSession()).data.user).toMatchObject({ name: 'Countess', image })
      expect((await ada.client.updateUser({ role: 'admin', emailVerified: true, image: null })).error).toBeNull()
      expect((await ada.client.getSession()).data.user).toMatchObject({
        role: null,
        emailVerified: false,
        image: null,
      })
      expect((await ada.client.updateUser({ email: newAddress() })).error).toMatchObject({
        status: 400,
        code: 'EMAIL_CAN_NOT_BE_UPDATED',
        message: 'Email can not be updated',
      })
    })

    test('deletes the account with the password', async () => {
      const ada = await signedUp(version, server)
      const { email } = (await ada.client.getSession()).data.user

      expect((await ada.client.deleteUser({ password: 'not it' })).error).toMatchObject({
        status: 400,
        code: 'INVALID_PASSWORD',
      })
      expect((await ada.client.deleteUser({ password })).data).toEqual({ success: true, message: 'User deleted' })
      expect(ada.cookies.size).toBe(0)
      expect((await ada.client.signIn.email({ email, password })).error).toMatchObject({ status: 401 })
    })

    test('deletes the account by mail: by the link, by the callback call, by the token', async () => {
      const people = await Promise.all([1, 2, 3].map(() => signedUp(version, server)))
      const mails = await Promise.all(
        people.map(async ({ client }) => {
          const { email } = (await client.getSession()).data.user
          await linkTo(server, email, 1)
          expect((await client.deleteUser({ callbackURL: '/goodbye' })).data).toEqual({
            success: true,
            message: 'Verification email sent',
          })
          return linkTo(server, email, 2)
        }),
      )
      const [byLink, byCallback, byToken] = people
      const tokenOf = (index: number) => new URL(mails[index]!).searchParams.get('token')

      expect((await byCallback!.client.deleteUser.callback({ query: { token: tokenOf(0) } })).error).toMatchObject({
        status: 404,
        code: 'INVALID_TOKEN',
      })
      expect((await byLink!.visit(mails[0]!)).headers.get('location')).toBe('/goodbye')
      expect((await byCallback!.client.deleteUser.callback({ query: { token: tokenOf(1) } })).data).toEqual({
        success: true,
        message: 'User deleted',
      })
      expect((await byToken!.client.deleteUser({ token: tokenOf(2) })).data).toEqual({
        success: true,
        message: 'User deleted',
      })
      for (const { client } of people) expect((await client.getSession()).data).toBeNull()
    })

    test('where deletion is not mailed, a fresh session suffices', async () => {
      const ada = await signedUpStrictly(version, strict)

      expect((await ada.client.deleteUser()).data).toEqual({ success: true, message: 'User deleted' })

      expect((await ada.client.getSession()).data).toBeNull()
    })

    test('where addresses must be verified, only the right password reveals it, and the link signs in', async () => {
      const email = newAddress()
      const ada = version.person(strict.baseURL)

      const { data } = await ada.client.signUp.email({ name: 'Ada', email, password, callbackURL: '/welcome' })
      expect(data).toMatchObject({ token: null, user: { email } })
      expect(ada.cookies.size).toBe(0)
      // A known address gets the same answer as an unknown one.
      const again = await version.person(strict.baseURL).client.signUp.email({ name: 'Eve', email, password })
      expect(again).toMatchObject({ error: null, data: { token: null, user: { email, name: 'Eve' } } })

      expect((await ada.client.signIn.email({ email, password: 'not the one' })).error).toMatchObject({ status: 401 })
      await mailsTo(strict, email, 2)
      expect((await ada.client.signIn.email({ email, password })).error).toMatchObject({
        status: 403,
        code: 'EMAIL_NOT_VERIFIED',
        message: 'Email not verified',
      })
      await ada.visit(await linkTo(strict, email, 3))
      expect((await ada.client.getSession()).data.user).toMatchObject({ email, emailVerified: true })
    })

    test('with a cookie cache an update shows at once, and disableCookieCache reads the stored session', async () => {
      const ada = await signedUpStrictly(version, strict)
      const { email } = (await ada.client.getSession()).data.user
      expect(ada.cookies.has('better-auth.session_data')).toBe(true)

      await ada.client.updateUser({ name: 'Countess' })
      expect((await ada.client.getSession()).data.user.name).toBe('Countess')

      const other = version.person(strict.baseURL)
      await other.client.signIn.email({ email, password })
      await other.client.revokeOtherSessions()
      expect((await ada.client.getSession({ query: { disableCookieCache: true } })).data).toBeNull()
      expect((await ada.client.getSession()).data).toBeNull()
    })

    test('refusals have the status, the code and the text that the clients know', async () => {
      const ada = await signedUp(version, server)
      const { email } = (await ada.client.getSession()).data.user
      const { client } = version.person(server.baseURL)
      const name = 'Ada'

      const refused = async (reply: Promise<{ error: unknown }>) => (await reply).error
      expect(await refused(client.signUp.email({ name, email, password }))).toMatchObject({
        status: 422,
        code: 'USER_ALREADY_EXISTS',
        message: 'User already exists',
      })
      expect(await refused(client.signUp.email({ name, email: 'nobody', password }))).toMatchObject({
        status: 400,
        code: 'INVALID_EMAIL',
        message: 'Invalid email',
      })
      expect(await refused(client.signUp.email({ name, email: newAddress(), password: 'short' }))).toMatchObject({
        status: 400,
        code: 'PASSWORD_TOO_SHORT',
      })
      expect(
        await refused(client.signUp.email({ name, email: newAddress(), password: 'x'.repeat(129) })),
      ).toMatchObject({ status: 400, code: 'PASSWORD_TOO_LONG', message: 'Password too long' })
      const unknown = await refused(client.signIn.email({ email: newAddress(), password }))
      expect(unknown).toMatchObject({
        status: 401,
        code: 'INVALID_EMAIL_OR_PASSWORD',
        message: 'Invalid email or password',
      })
      expect(await refused(client.signIn.email({ email, password: 'not the one' }))).toEqual(unknown)
      expect(await refused(client.signIn.email({ email }))).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
      expect(await refused(client.signIn.email({ email, password, callbackURL: '//evil.example' }))).toMatchObject({
        status: 403,
        code: 'INVALID_CALLBACKURL',
        message: 'Invalid callbackURL',
      })
      expect(await refused(client.signOut())).toMatchObject({ status: 400, code: 'FAILED_TO_GET_SESSION' })
      for (const guarded of [
        client.listSessions(),
        client.updateUser({ name }),
        client.changeEmail({ newEmail: email }),
      ])
        expect(await refused(guarded)).toMatchObject({ status: 401, code: 'UNAUTHORIZED', message: 'Unauthorized' })
      expect(await refused(client.$fetch('/no-such-call'))).toMatchObject({ status: 404 })
      expect(await refused(ada.client.$fetch('/update-user', { method: 'POST', body: { name: 5 } }))).toMatchObject({
        status: 400,
        code: 'VALIDATION_ERROR',
        message: 'Invalid body parameters',
      })
    })
  })

  test('F-logs: with everything logged, no password, cookie or mailed token is', () => {
    for (const { output } of [server, strict]) {
      expect(output()).toContain('/api/auth/sign-up/email')
      expect(secrets.size).toBeGreaterThan(20)
      expect([...secrets].filter((secret) => output().includes(secret))).toEqual([])
    }
  })
}

/** What must stay between the server and one person. */
const secrets = new Set([password, 'another long one', 'the newest password'])

async function signedUp(version: Version, server: ServerProcess): Promise<Person> {
  const person = version.person(server.baseURL)
  const { error } = await person.client.signUp.email({ name: 'Ada', email: newAddress(), password })
  expect(error).toBeNull()
  for (const { value } of person.cookies.values()) secrets.add(value)
  return person
}

/** Signed up where the address must be verified first; the link signs in. */
async function signedUpStrictly(version: Version, server: ServerProcess): Promise<Person> {
  const person = version.person(server.baseURL)
  const email = newAddress()
  await person.client.signUp.email({ name: 'Ada', email, password })
  await person.visit(await linkTo(server, email, 1))
  expect((await person.client.getSession()).data.user.email).toBe(email)
  return person
}

const newUsername = (): string => `ada_${randomUUID().slice(0, 8)}`

const newAddress = (): string => `ada.${randomUUID().slice(0, 8)}@example.com`

/** Waits until so many mails have come; the newest is the first. */
async function mailsTo(server: ServerProcess, email: string, count: number): Promise<Mail[]> {
  let mails: Mail[] = []
  await until(`${count} mails to ${email}`, 10_000, async () => {
    const response = await fetch(`${server.baseURL}/dev/inbox/messages?to=${encodeURIComponent(email)}`)
    mails = (await response.json()) as Mail[]
    return mails.length >= count
  })
  expect(mails).toHaveLength(count)
  return mails
}

async function linkTo(server: ServerProcess, email: string, count: number): Promise<string> {
  const [newest] = await mailsTo(server, email, count)
  const link = newest!.links[0]!
  const token = new URL(link).searchParams.get('token') ?? /\/reset-password\/(\w+)/.exec(link)?.[1]
  if (token) secrets.add(token)
  return link
}
