import { expect, test, vi } from 'vitest'
import { until } from '../faults/server-process.ts'
import type { Version } from './clients.ts'
import {
  cookieName,
  mailsTo,
  newAddress,
  newUsername,
  password,
  type StoryServers,
  signedUp,
  signedUpStrictly,
} from './story-people.ts'

/** Sign-up, sign-in, sessions and refusals, as one version of the client asks for them. */
export function signInStory(version: Version, servers: StoryServers): void {
  test('signs up, is known by its session, signs out and in again', async () => {
    const { client, cookies } = version.person(servers.usual.baseURL)
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
    const { client, cookies } = await signedUp(version, servers.usual)
    const { email } = (await client.getSession()).data.user
    await client.signOut()

    await client.signIn.email({ email, password, rememberMe: false })

    expect(cookies.get(cookieName)?.attributes.has('max-age')).toBe(false)
    expect(cookies.has('better-auth.dont_remember')).toBe(true)
    const { session } = (await client.getSession()).data
    expect(session.expiresAt - session.createdAt).toBe(86_400_000)
  })

  test('a callback address comes back as the place to go, and the client goes there', async () => {
    const { client } = await signedUp(version, servers.usual)
    const { email } = (await client.getSession()).data.user
    const window = { location: { href: '', origin: servers.usual.baseURL } }
    vi.stubGlobal('window', window)

    const { data } = await client.signIn.email({ email, password, callbackURL: '/dashboard' })

    expect(data).toMatchObject({ redirect: true, url: '/dashboard' })
    expect(window.location.href).toBe('/dashboard')
  })

  test('useSession follows sign-up, update, sign-out and sign-in by itself', async () => {
    vi.stubGlobal('window', {})
    const { client, fetch: fetchAsHer } = version.person(servers.usual.baseURL)
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
    await fetchAsHer(`${servers.usual.baseURL}/api/auth/update-user`, {
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
    const { client, cookies } = version.person(servers.usual.baseURL)
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
    const ada = await signedUp(version, servers.usual)
    const { client } = version.person(servers.usual.baseURL)
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
      const own = refusal === taken ? (await signedUp(version, servers.usual)).client : ada.client
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
    const { client } = version.person(servers.strict.baseURL)
    const email = newAddress()
    const username = newUsername()
    await client.signUp.email({ name: 'Ada', email, password, username })

    expect((await client.signIn.username({ username, password: 'not the one' })).error).toMatchObject({ status: 401 })
    await mailsTo(servers.strict, email, 1)
    expect((await client.signIn.username({ username, password })).error).toMatchObject({
      status: 403,
      code: 'EMAIL_NOT_VERIFIED',
      message: 'email not verified',
    })
    await mailsTo(servers.strict, email, 2)
  })

  test('lists and ends sessions: one, the others, all', async () => {
    const phone = await signedUp(version, servers.usual)
    const { email } = (await phone.client.getSession()).data.user
    const [laptop, tablet, desk] = await Promise.all(
      ['Laptop', 'Tablet', 'Desk'].map(async (name) => {
        const person = version.person(servers.usual.baseURL, name)
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
    const [ada, eve] = await Promise.all([signedUp(version, servers.usual), signedUp(version, servers.usual)])
    const { token } = (await ada.client.getSession()).data.session

    expect((await eve.client.revokeSession({ token })).error).toMatchObject({ status: 401 })

    expect((await ada.client.getSession()).data.session.token).toBe(token)
  })

  test('with a cookie cache an update shows at once, and disableCookieCache reads the stored session', async () => {
    const ada = await signedUpStrictly(version, servers.strict)
    const { email } = (await ada.client.getSession()).data.user
    expect(ada.cookies.has('better-auth.session_data')).toBe(true)

    await ada.client.updateUser({ name: 'Countess' })
    expect((await ada.client.getSession()).data.user.name).toBe('Countess')

    const other = version.person(servers.strict.baseURL)
    await other.client.signIn.email({ email, password })
    await other.client.revokeOtherSessions()
    expect((await ada.client.getSession({ query: { disableCookieCache: true } })).data).toBeNull()
    expect((await ada.client.getSession()).data).toBeNull()
  })

  test('refusals have the status, the code and the text that the clients know', async () => {
    const ada = await signedUp(version, servers.usual)
    const { email } = (await ada.client.getSession()).data.user
    const { client } = version.person(servers.usual.baseURL)
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
    expect(await refused(client.signUp.email({ name, email: newAddress(), password: 'x'.repeat(129) }))).toMatchObject({
      status: 400,
      code: 'PASSWORD_TOO_LONG',
      message: 'Password too long',
    })
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
    for (const guarded of [client.listSessions(), client.updateUser({ name }), client.changeEmail({ newEmail: email })])
      expect(await refused(guarded)).toMatchObject({ status: 401, code: 'UNAUTHORIZED', message: 'Unauthorized' })
    expect(await refused(client.$fetch('/no-such-call'))).toMatchObject({ status: 404 })
    expect(await refused(ada.client.$fetch('/update-user', { method: 'POST', body: { name: 5 } }))).toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      message: 'Invalid body parameters',
    })
  })
}
