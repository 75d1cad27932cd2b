import type { Answer, ParsedBody } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import { isUniqueViolation, type Tx } from '../../foundation/db/database.ts'
import { TollgateError } from '../../foundation/error.ts'
import type { Caller } from '../../foundation/http/handler.ts'
import { newId } from '../../foundation/ids.ts'
import { enqueueMail } from '../../foundation/mail/mail.jobs.ts'
import { emit } from '../../foundation/outbox.ts'
import { firstAdminRole } from './access.ts'
import type { AuthHandler } from './auth-handler.ts'
import { refuseBreachedPassword } from './breached-passwords.ts'
import { completeSignIn, requireSession } from './complete-sign-in.service.ts'
import { consumeSetupToken, isSetupToken } from './first-admin.service.ts'
import { tellUserCreated } from './hooks.service.ts'
import { setOutcomeCookie } from './outcome-cookie.service.ts'
import { lockUserAndAccounts, takePossession } from './ownership.service.ts'
import { isMadeUp, normalizeEmail, normalizeImage, normalizeName, passwordLengthError } from './profile-rules.ts'
import { isUsernameFree, reserveUsername, takingUsername } from './reserved-usernames.service.ts'
import { toUser, unstoredSession } from './session-answer.ts'
import { assertCacheFits, setSessionCookies } from './session-cookies.ts'
import {
  findUserByEmail,
  insertUser,
  isBanned,
  putCredentialAccount,
  type UserRow,
  updateUserRow,
} from './user.repository.ts'
import { usernameFields } from './username-rules.ts'
import { createVerificationLink, enqueueLinkMail } from './verification-link.ts'

/**
 * Creates a user with a password: user, account, session, verification and events in one transaction. A taken address
 * is reported only where addresses need no verification; elsewhere the answer is the same, and the owner gets a mail
 * (security, §0). A proof from an invitation's mail verifies the address.
 */
export const signUpEmail: AuthHandler<'signUpEmail'> = async ({ ctx, caller, body }) => {
  const answer = await signUp(ctx, caller, body)
  // The same answer whether or not the address was free: its owner gets mail in both cases.
  const { emailVerification, emailAndPassword } = ctx.config
  const mails = emailVerification.sendOnSignUp || emailAndPassword.requireEmailVerification
  if (answer.token === null && emailVerification.enabled && mails)
    setOutcomeCookie(ctx, caller, body.callbackURL, { done: 'verification-sent', email: answer.user.email })
  return answer
}

async function signUp(ctx: Context, caller: Caller, body: ParsedBody<'signUpEmail'>): Promise<Answer<'signUpEmail'>> {
  const { emailAndPassword, emailVerification } = ctx.config
  if (!emailAndPassword.enabled || emailAndPassword.disableSignUp) throw new TollgateError('SIGN_UP_DISABLED')
  const profile = checkProfile(body)
  const names = await usernameFields(ctx.config.username, body, { username: null })
  const tooShortOrLong = passwordLengthError(body.password, emailAndPassword)
  if (tooShortOrLong) throw new TollgateError(tooShortOrLong)
  await refuseBreachedPassword(ctx, body.password)

  const now = ctx.clock.now()
  // Check before looking up the address: a wrong token must not reveal which addresses are taken.
  if (body.setupToken !== undefined && !(await isSetupToken(ctx, body.setupToken, now)))
    throw new TollgateError('SETUP_TOKEN_INVALID')
  // Usernames are public: report a taken one before looking up the address and counting a mail.
  if (names.username !== undefined && !(await isUsernameFree(ctx, names.username)))
    throw new TollgateError('USERNAME_TAKEN')
  // Ignore an invalid proof: a refusal would only block a person whose invitation has expired. Check it before looking
  // up the address. An invited person is never the first administrator.
  const isInvited =
    body.setupToken === undefined && (await ctx.organizationsOfUsers.provesAddress(ctx, profile.email, body))
  const newUser: UserRow = {
    ...profile,
    username: null,
    displayUsername: null,
    ...names,
    id: newId(),
    emailVerified: isInvited,
    role: null,
    banned: false,
    banReason: null,
    banExpires: null,
    createdAt: now,
    updatedAt: now,
  }
  const mustVerify = emailAndPassword.requireEmailVerification && !isInvited
  // Check even if no session begins now, because the next sign-in begins one.
  assertSessionFits(ctx, caller, newUser)
  // Hash before looking up the address, so that both outcomes cost the same.
  const password = await ctx.passwords.hash(body.password)

  const mailsLink = emailVerification.enabled && !isInvited && (emailVerification.sendOnSignUp || mustVerify)
  // Over the mailbox's limit the account is created without a mail; its owner can request one later.
  const mayMail = mailsLink && (await ctx.limits.mail('sign-up', profile.email))
  const link = mayMail ? await createVerificationLink(ctx, { email: profile.email }, body.callbackURL) : undefined

  const created = await ctx
    .transaction(async (tx) => {
      const found = await findUserByEmail(tx, profile.email)
      if (found && !isInvited) return undefined
      const user = found
        ? await takeOver(ctx, tx, found, newUser)
        : await createUser(ctx, tx, newUser, names.username, body.setupToken)
      if (!user) return undefined
      await putCredentialAccount(tx, user.id, password, now)
      if (link) await enqueueLinkMail(ctx, tx, user, link, { template: 'verify-email', locale: caller.locale })
      const signIn = { user, method: 'password', rememberMe: body.rememberMe } as const
      const outcome = emailAndPassword.autoSignIn ? await completeSignIn(ctx, tx, caller, signIn) : undefined
      const mustWait = !outcome || outcome.kind === 'unverified-address'
      return { user, session: mustWait ? undefined : requireSession(outcome), isNew: !found }
    })
    .catch((error) => {
      if (isUniqueViolation(error, 'username')) throw new TollgateError('USERNAME_TAKEN', { cause: error })
      // Of two concurrent sign-ups with one address, the second gets the answer for a taken address.
      if (isUniqueViolation(error)) return undefined
      throw error
    })

  if (!created) {
    // The invitation's mail proves ownership of the address, so this person may know.
    if (!mustVerify) throw new TollgateError('USER_ALREADY_EXISTS')
    await tellOwner(ctx, caller, profile.email, names.username)
    return { token: null, user: toUser(newUser) }
  }
  const { user, session, isNew } = created
  if (session) setSessionCookies(ctx, caller, { session, user })
  if (isNew) tellUserCreated(ctx, user)
  return { token: session?.token ?? null, user: toUser(user) }
}

async function createUser(
  ctx: Context,
  tx: Tx,
  newUser: UserRow,
  username: string | undefined,
  setupToken: string | undefined,
): Promise<UserRow> {
  const now = ctx.clock.now()
  const isFirstAdmin = setupToken !== undefined && (await consumeSetupToken(tx, setupToken, now))
  if (setupToken !== undefined && !isFirstAdmin) throw new TollgateError('SETUP_TOKEN_INVALID')
  const role = isFirstAdmin ? firstAdminRole(ctx.config) : null
  const user = await takingUsername(ctx, tx, { username, userId: newUser.id }, () =>
    insertUser(tx, { ...newUser, role }),
  )
  const concerned = { actorId: user.id, userId: user.id }
  await emit(tx, now, { type: 'user.created', ...concerned, data: { method: 'email' } })
  if (user.emailVerified) await emit(tx, now, { type: 'user.email_verified', ...concerned })
  return user
}

/**
 * Takes over an unverified account for a person who has proved its address: every sign-in method of a possible
 * squatter ends, and the profile becomes the newcomer's (security, §0). Undefined if the address is verified meanwhile
 * or its user is banned: the address then counts as taken.
 */
async function takeOver(ctx: Context, tx: Tx, found: UserRow, newUser: UserRow): Promise<UserRow | undefined> {
  const now = ctx.clock.now()
  const user = await lockUserAndAccounts(tx, found.id)
  if (user?.email !== newUser.email || user.emailVerified || isBanned(user, now)) return undefined
  await takePossession(ctx, tx, user)
  const { name, image, username, displayUsername } = newUser
  const changes = { name, image, username, displayUsername }
  const concerned = { actorId: user.id, userId: user.id }
  await emit(tx, now, { type: 'user.updated', ...concerned, data: { fields: Object.keys(changes).join() } })
  await emit(tx, now, { type: 'user.password_changed', ...concerned })
  return takingUsername(ctx, tx, { username, userId: user.id }, () =>
    updateUserRow(tx, user.id, { ...changes, updatedAt: now }),
  )
}

function checkProfile(body: ParsedBody<'signUpEmail'>): { email: string; name: string; image: string | null } {
  const email = normalizeEmail(body.email)
  if (email === null || isMadeUp(email)) throw new TollgateError('INVALID_EMAIL')
  const name = normalizeName(body.name)
  if (name === null) throw new TollgateError('INVALID_NAME')
  const image = body.image ? normalizeImage(body.image) : null
  if (body.image && image === null) throw new TollgateError('INVALID_IMAGE')
  return { email, name, image }
}

/** Measures the longest session this user could have. */
function assertSessionFits(ctx: Context, caller: Caller, user: UserRow): void {
  const { ipAddress, userAgent } = caller
  const active = { activeOrganizationId: newId(), activeTeamId: newId() }
  assertCacheFits(ctx, {
    user,
    session: { ...unstoredSession(user.id, ctx.clock.now()), ...active, ipAddress, userAgent },
  })
}

/**
 * Mails the owner, and reserves the username as a sign-up would. Check the limit before the transaction: it may count
 * in the database that the transaction locks.
 */
async function tellOwner(ctx: Context, caller: Caller, email: string, username: string | undefined): Promise<void> {
  const mayMail = await ctx.limits.mail('existing-account', email)
  await ctx.transaction(async (tx) => {
    const owner = await findUserByEmail(tx, email)
    if (owner && username !== undefined) await reserveUsername(ctx, tx, username, owner.id)
    if (!owner || !mayMail) return
    const { locale } = caller
    await enqueueMail(ctx, tx, { to: owner.email, locale, template: 'existing-account', data: { name: owner.name } })
  })
}
