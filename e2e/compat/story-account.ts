import { expect, test } from 'vitest'
import type { Version } from './clients.ts'
import { linkTo, mailsTo, newAddress, password, type StoryServers, signedUp, signedUpStrictly } from './story-people.ts'

/** What people change of their account, and how they delete it, as one version of the client asks for it. */
export function accountStory(version: Version, servers: StoryServers): void {
  test('verifies the address with the mailed link, or by the call', async () => {
    const ada = await signedUp(version, servers.usual)
    const { email } = (await ada.client.getSession()).data.user
    const welcome = await linkTo(servers.usual, email, 1)

    const followed = await ada.visit(welcome)
    expect(followed.status).toBe(302)
    expect(followed.headers.get('location')).toBe('/')
    expect((await ada.client.getSession()).data.user.emailVerified).toBe(true)

    const bob = await signedUp(version, servers.usual)
    const address = (await bob.client.getSession()).data.user.email
    await linkTo(servers.usual, address, 1)
    expect(
      (
        await bob.client.sendVerificationEmail({
          email: address,
          callbackURL: `${servers.usual.baseURL}/welcome?from=mail`,
        })
      ).data,
    ).toEqual({ status: true })
    const second = new URL(await linkTo(servers.usual, address, 2))
    expect(second.searchParams.get('callbackURL')).toBe(`${servers.usual.baseURL}/welcome?from=mail`)
    const verified = await bob.client.verifyEmail({ query: { token: second.searchParams.get('token') } })
    expect(verified.data).toEqual({ status: true, user: null })
    expect((await bob.client.getSession()).data.user.emailVerified).toBe(true)

    const wrong = await bob.client.verifyEmail({ query: { token: 'nonsense' } })
    expect(wrong.error).toMatchObject({ status: 401, code: 'INVALID_TOKEN', message: 'invalid_token' })
    const redirected = await bob.visit(
      `${servers.usual.baseURL}/api/auth/verify-email?token=nonsense&callbackURL=/welcome`,
    )
    expect(redirected.headers.get('location')).toBe('/welcome?error=invalid_token')
  })

  test('a forgotten password is chosen anew with the mailed link, once', async () => {
    const ada = await signedUp(version, servers.usual)
    const { email } = (await ada.client.getSession()).data.user
    await linkTo(servers.usual, email, 1)

    const asked = await ada.requestReset({ email, redirectTo: '/choose' })
    expect(asked.error).toBeNull()
    expect(asked.data.status).toBe(true)
    const toPage = await ada.visit(await linkTo(servers.usual, email, 2))
    const page = new URL(toPage.headers.get('location')!)
    expect(page.origin + page.pathname).toBe(`${servers.usual.baseURL}/choose`)
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
    const ada = await signedUp(version, servers.usual)
    const { email } = (await ada.client.getSession()).data.user
    const other = version.person(servers.usual.baseURL)
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
    const ada = await signedUp(version, servers.usual)
    const first = (await ada.client.getSession()).data.user.email
    const second = newAddress()
    const third = newAddress()

    expect((await ada.client.changeEmail({ newEmail: first })).error).toMatchObject({
      status: 400,
      code: 'EMAIL_IS_THE_SAME',
    })
    expect((await ada.client.changeEmail({ newEmail: second })).data).toEqual({ status: true })
    expect((await ada.client.getSession()).data.user.email).toBe(second)
    await ada.visit(await linkTo(servers.usual, second, 1))
    expect((await ada.client.getSession()).data.user.emailVerified).toBe(true)

    expect((await ada.client.changeEmail({ newEmail: third, callbackURL: '/account' })).data).toEqual({
      status: true,
    })
    expect((await ada.client.getSession()).data.user.email).toBe(second)
    const approval = await linkTo(servers.usual, second, 2)
    expect((await version.person(servers.usual.baseURL).visit(approval)).headers.get('location')).toBe(
      '/account?error=unauthorized',
    )
    expect((await ada.visit(approval)).headers.get('location')).toBe('/account')
    expect((await ada.client.getSession()).data.user).toMatchObject({ email: third, emailVerified: false })
    await ada.visit(await linkTo(servers.usual, third, 1))
    expect((await ada.client.getSession()).data.user).toMatchObject({ email: third, emailVerified: true })

    const eve = await signedUp(version, servers.usual)
    expect((await eve.client.changeEmail({ newEmail: third })).error).toMatchObject({
      status: 400,
      code: 'COULDNT_UPDATE_YOUR_EMAIL',
      message: "Couldn't update your email",
    })
  })

  test('updates name and picture, and nothing else', async () => {
    const ada = await signedUp(version, servers.usual)

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
    const ada = await signedUp(version, servers.usual)
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
    const people = await Promise.all([1, 2, 3].map(() => signedUp(version, servers.usual)))
    const mails = await Promise.all(
      people.map(async ({ client }) => {
        const { email } = (await client.getSession()).data.user
        await linkTo(servers.usual, email, 1)
        expect((await client.deleteUser({ callbackURL: '/goodbye' })).data).toEqual({
          success: true,
          message: 'Verification email sent',
        })
        return linkTo(servers.usual, email, 2)
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
    const ada = await signedUpStrictly(version, servers.strict)

    expect((await ada.client.deleteUser()).data).toEqual({ success: true, message: 'User deleted' })

    expect((await ada.client.getSession()).data).toBeNull()
  })

  test('where addresses must be verified, only the right password reveals it, and the link signs in', async () => {
    const email = newAddress()
    const ada = version.person(servers.strict.baseURL)

    const { data } = await ada.client.signUp.email({ name: 'Ada', email, password, callbackURL: '/welcome' })
    expect(data).toMatchObject({ token: null, user: { email } })
    expect(ada.cookies.size).toBe(0)
    // A known address gets the same answer as an unknown one.
    const again = await version.person(servers.strict.baseURL).client.signUp.email({ name: 'Eve', email, password })
    expect(again).toMatchObject({ error: null, data: { token: null, user: { email, name: 'Eve' } } })

    expect((await ada.client.signIn.email({ email, password: 'not the one' })).error).toMatchObject({ status: 401 })
    await mailsTo(servers.strict, email, 2)
    expect((await ada.client.signIn.email({ email, password })).error).toMatchObject({
      status: 403,
      code: 'EMAIL_NOT_VERIFIED',
      message: 'Email not verified',
    })
    await ada.visit(await linkTo(servers.strict, email, 3))
    expect((await ada.client.getSession()).data.user).toMatchObject({ email, emailVerified: true })
  })
}
