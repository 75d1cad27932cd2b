import type { Answer, ParsedBody } from '@tollgate/contract/types'
import { firstAdminRole } from '../access.ts'
import type { Context } from '../context.ts'
import { isUniqueViolation, type Tx } from '../db/database.ts'
import { TollgateError } from '../error.ts'
import type { Caller } from '../http/route.ts'
import { newId } from '../ids.ts'
import { enqueueMail } from '../mail/mail.jobs.ts'
import { provesAddress } from '../organization/invitation-proof.ts'
import { emit } from '../outbox.ts'
import { usernameFields } from '../username/rules.ts'
import { putCredentialAccount } from './account.repository.ts'
import { refuseBreachedPassword } from './breached-passwords.ts'
import { consumeSetupToken, isSetupToken } from './first-admin.service.ts'
import { tellUserCreated } from './hooks.service.ts'
import { lockUserAndAccounts, takePossession } from './ownership.service.ts'
import { isMadeUp, normalizeEmail, normalizeImage, normalizeName, passwordLengthError } from './profile-rules.ts'
import { isUsernameFree, reserveUsername, takingUsername } from './reserved-usernames.service.ts'
import { createSession } from './session.service.ts'
import { toUser } from './session-answer.ts'
import { assertCacheFits, setSessionCookies } from './session-cookies.ts'
import { findUserByEmail, insertUser, isBanned, type UserRow, updateUserRow } from './user.repository.ts'
import { createVerificationLink, enqueueLinkMail } from './verification-link.ts'

/**
 * Creates a user with a password: user, account, session, verification and events in one transaction. A taken address is
 * told only where nobody has to prove theirs; else the answer is the same, and its owner gets a mail (security, §0). Whoever
 * has the mail of an invitation has proved theirs.
 */
export async function signUpEmail(
  ctx: Context,
  caller: Caller,
  body: ParsedBody<'signUpEmail'>,
): Promise<Answer<'signUpEmail'>> {
  const { emailAndPassword, emailVerification } = ctx.config
  if (!emailAndPassword.enabled) throw new TollgateError('EMAIL_AND_PASSWORD_DISABLED')
  if (emailAndPassword.disableSignUp) throw new TollgateError('SIGN_UP_DISABLED')
  const profile = checkProfile(body)
  const names = await usernameFields(ctx.config.username, body, { username: null })
  const tooShortOrLong = passwordLengthError(body.password, emailAndPassword)
  if (tooShortOrLong) throw new TollgateError(tooShortOrLong)
  await refuseBreachedPassword(ctx, body.password)

  const now = ctx.clock.now()
  // Before anybody looks whether the address is taken: a wrong token must not tell which addresses are.
  if (body.setupToken !== undefined && !(await isSetupToken(ctx, body.setupToken, now)))
    throw new TollgateError('SETUP_TOKEN_INVALID')
  // Usernames are public. A taken one is told of whosever the address is, and before a mail to it counts.
  if (names.username !== undefined && !(await isUsernameFree(ctx, names.username)))
    throw new TollgateError('USERNAME_TAKEN')
  // A proof that is none counts as not given: to refuse it would only be in the way of whoever comes after the invitation
  // has run out, and it has been looked at before anybody looks whether the address is taken. Guests are never the first.
  const isInvited = body.setupToken === undefined && (await provesAddress(ctx, profile.email, body))
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
  const signsIn = emailAndPassword.autoSignIn && !mustVerify
  // Also where none begins now: it would, with the next sign-in.
  assertSessionFits(ctx, caller, newUser)
  // Hashed before anybody looks whether the address is taken: both ways cost the same.
  const password = await ctx.passwords.hash(body.password)

  const mailsLink = emailVerification.enabled && !isInvited && (emailVerification.sendOnSignUp || mustVerify)
  // Over the mailbox's limit the account is made without a mail: its owner asks for one later.
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
      const session = signsIn ? await createSession(ctx, tx, caller, user.id, body) : undefined
      return { user, session, isNew: !found }
    })
    .catch((error) => {
      if (isUniqueViolation(error, 'username')) throw new TollgateError('USERNAME_TAKEN', { cause: error })
      // Two sign-ups of one address at the same moment: the second is as late as if it had come a second later.
      if (isUniqueViolation(error)) return undefined
      throw error
    })

  if (!created) {
    // Whoever has the mail of an invitation owns the address, and may know.
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
 * The account of an address that nobody had proved, for somebody who has: every way in that a squatter may have put there
 * ends, and the profile is the newcomer's (security, §0). Nothing where the address has been proved by now, or its user is
 * banned: that account is taken like any other.
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

/** A session as long as any of this user could be. */
function assertSessionFits(ctx: Context, caller: Caller, user: UserRow): void {
  const now = ctx.clock.now()
  const session = {
    id: user.id,
    userId: user.id,
    token: user.id,
    expiresAt: now,
    ipAddress: caller.ipAddress,
    userAgent: caller.userAgent,
    activeOrganizationId: user.id,
    activeTeamId: user.id,
    impersonatedBy: null,
    impersonationReason: null,
    impersonatedFrom: null,
    neverExtended: false,
    authenticatedAt: now,
    createdAt: now,
    updatedAt: now,
  }
  assertCacheFits(ctx, { session, user })
}

/** Tells by mail, and takes the username as a sign-up does. The limit is asked before the transaction: it may count in the database that the transaction holds. */
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
