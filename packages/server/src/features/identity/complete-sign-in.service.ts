import { after, seconds } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import { type Id, isDatabaseUnavailable, type Tx } from '../../foundation/db/database.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import type { Caller } from '../../foundation/http/handler.ts'
import { newId } from '../../foundation/ids.ts'
import { emit } from '../../foundation/outbox.ts'
import { insertSession, type StoredSession } from './session.repository.ts'
import { findSignInState, isBanned, liftBan, type SignInState, type UserRow } from './user.repository.ts'

/** How a person proves their identity. A session stores the names of the methods that began it. */
export type SignInMethod = 'password' | 'magic-link' | 'otp-email' | 'verification-link' | `social:${string}`

/** The user who signs in, and the method. */
export type SignIn = { readonly user: Pick<UserRow, 'id'> } & (
  | {
      readonly method: SignInMethod
      /** False: the session is short, ends with the browser and is never extended. */
      readonly rememberMe?: boolean | undefined
      /** The caller's own session, which the new one replaces: its challenges have been met. */
      readonly replaces?: StoredSession
    }
  | {
      readonly method: 'impersonation'
      /** The session of the impersonating administrator. */
      readonly administrator: SessionRow
      readonly reason: string | null
    }
)

/** What the user must meet before a session begins. Add each new kind of challenge here. */
export type Challenge =
  | { readonly kind: 'unverified-address' }
  /** An administrator has to lift the ban. */
  | { readonly kind: 'banned' }

export type SignInOutcome = { readonly kind: 'session'; readonly session: StoredSession } | Challenge

/**
 * Decides whether a sign-in becomes a session or meets a challenge first. It is the only way to begin a session, and the
 * caller has checked the proof in the same transaction. A challenge writes nothing. The caller sets the session's cookies
 * after the commit (`setSessionCookies`). Throws FAILED_TO_CREATE_SESSION when the session cannot be stored.
 */
export async function completeSignIn(ctx: Context, tx: Tx, caller: Caller, signIn: SignIn): Promise<SignInOutcome> {
  const now = ctx.clock.now()
  const state = await findSignInState(tx, signIn.user.id)
  const challenge = state && challengeOf(ctx, signIn, state)
  if (challenge) return challenge
  if (state?.banned && signIn.method !== 'impersonation') await liftExpiredBan(tx, signIn.user.id, now)
  return { kind: 'session', session: await beginSession(ctx, tx, caller, signIn) }
}

function challengeOf(ctx: Context, signIn: SignIn, state: SignInState): Challenge | undefined {
  const mustVerify =
    signIn.method === 'password' && !signIn.replaces && ctx.config.emailAndPassword.requireEmailVerification
  if (mustVerify && !state.emailVerified) return { kind: 'unverified-address' }
  return isBanned(state, ctx.clock.now()) ? { kind: 'banned' } : undefined
}

/** How a call that cannot present challenges refuses each one. */
const refusals = { 'unverified-address': 'EMAIL_NOT_VERIFIED', banned: 'BANNED_USER' } as const satisfies Record<
  Challenge['kind'],
  string
>

/**
 * The session of an outcome. Throws the refusal of a challenge, which rolls the transaction back: a consumed proof
 * stays usable until its challenge is met.
 */
export function requireSession(outcome: SignInOutcome): StoredSession {
  if (outcome.kind === 'session') return outcome.session
  throw new TollgateError(refusals[outcome.kind])
}

async function liftExpiredBan(tx: Tx, userId: Id<'user'>, now: Date): Promise<void> {
  await liftBan(tx, userId, now)
  await emit(tx, now, { type: 'user.unbanned', actorId: null, userId, data: { hasRunOut: true } })
}

async function beginSession(ctx: Context, tx: Tx, caller: Caller, signIn: SignIn): Promise<StoredSession> {
  const now = ctx.clock.now()
  const userId = signIn.user.id
  const session = await insertSession(tx, {
    ...lifeOf(ctx, signIn, now),
    id: newId(),
    token: newId(),
    userId,
    ipAddress: caller.ipAddress,
    userAgent: caller.userAgent,
    methods: methodsOf(signIn),
    authenticatedAt: now,
    createdAt: now,
    updatedAt: now,
  }).catch((cause) => {
    if (isDatabaseUnavailable(cause)) throw cause
    throw new TollgateError('FAILED_TO_CREATE_SESSION', { cause })
  })
  const sessionId = session.id
  await (signIn.method === 'impersonation'
    ? emit(tx, now, {
        type: 'impersonation.started',
        actorId: signIn.administrator.user.id,
        userId,
        data: { sessionId, reason: signIn.reason },
      })
    : emit(tx, now, { type: 'session.created', actorId: userId, userId, data: { sessionId } }))
  return session
}

type SessionLife = Pick<StoredSession, 'expiresAt' | 'neverExtended'> &
  Partial<Pick<StoredSession, 'impersonatedBy' | 'impersonatedFrom' | 'impersonationReason'>>

/** A session's lifetime. An impersonated session also ends with the session that began it. */
function lifeOf({ config }: Context, signIn: SignIn, now: Date): SessionLife {
  const { expiresIn, expiresInWithoutRememberMe } = config.session
  const endsAfter = (life: number) => after(now, seconds(life))
  if (signIn.method === 'impersonation')
    return {
      expiresAt: endsAfter(config.admin.impersonationSessionDuration),
      neverExtended: true,
      impersonatedBy: signIn.administrator.user.id,
      impersonatedFrom: signIn.administrator.session.id,
      impersonationReason: signIn.reason,
    }
  const neverExtended = signIn.rememberMe === false
  return { expiresAt: endsAfter(neverExtended ? expiresInWithoutRememberMe : expiresIn), neverExtended }
}

/** The column's format: unique names joined by commas, the earliest proof first. */
function methodsOf(signIn: SignIn): string {
  const earlier = signIn.method === 'impersonation' ? undefined : signIn.replaces?.methods
  return [...new Set([...(earlier ? earlier.split(',') : []), signIn.method])].join()
}
