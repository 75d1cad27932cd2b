import { errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import { after, seconds } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import type { Tx } from '../../foundation/db/database.ts'
import { TollgateError } from '../../foundation/error.ts'
import { newId } from '../../foundation/ids.ts'
import { enqueueMail } from '../../foundation/mail/mail.jobs.ts'
import type { MailLocale } from '../../foundation/mail/templates.ts'
import { firstOf } from '../../foundation/proof/proven.ts'
import { type ForNobody, replaceProof } from './proof.service.ts'
import type { UserRow } from './user.repository.ts'
import type { Purpose } from './verification.repository.ts'

/** A link ready to be mailed; its proof is stored with the order. */
export type VerificationLink = {
  readonly purpose: Purpose
  readonly url: string
  readonly secret: string
  readonly expiresAt: Date
}

/**
 * Makes a link before the transaction that mails it: signing waits for other threads, and a transaction must not. The
 * token is an HS256 JWT `{ email, updateTo?, jti, iat, exp }` (auth contract, sections 3 and 10).
 */
export async function createVerificationLink(
  ctx: Context,
  claims: { email: string; updateTo?: string },
  callbackURL = '/',
): Promise<VerificationLink> {
  const now = ctx.clock.now()
  const expiresAt = after(now, seconds(ctx.config.emailVerification.expiresIn))
  const secret = newId()
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setJti(secret)
    .setIssuedAt(now)
    .setExpirationTime(expiresAt)
    .sign(firstOf(ctx.secrets.jwtKeys, 'the configuration wants one'))
  const { baseURL, basePath } = ctx.config
  const url = `${baseURL.origin}${basePath}/verify-email?token=${token}&callbackURL=${encodeURIComponent(callbackURL)}`
  return { purpose: claims.updateTo === undefined ? 'verify-email' : 'change-email', url, secret, expiresAt }
}

/** Stores the link's proof, ends older links of the purpose, and enqueues the mail. */
export async function enqueueLinkMail(
  ctx: Context,
  tx: Tx,
  user: Pick<UserRow, 'id' | 'email' | 'name'>,
  link: VerificationLink,
  mail: { locale: MailLocale } & ForNobody &
    ({ template: 'verify-email' | 'email-changed-verify' } | { template: 'change-email'; newEmail: string }),
): Promise<void> {
  const { purpose, secret, expiresAt, url } = link
  const { locale, isForNobody } = mail
  await replaceProof(tx, { purpose, secret, userId: user.id, expiresAt, now: ctx.clock.now() }, { isForNobody })
  const data = { name: user.name, url, expiresInMinutes: Math.floor(ctx.config.emailVerification.expiresIn / 60) }
  const to = { to: user.email, locale, isForNobody }
  if (mail.template === 'change-email')
    await enqueueMail(ctx, tx, { ...to, template: mail.template, data: { ...data, newEmail: mail.newEmail } })
  else await enqueueMail(ctx, tx, { ...to, template: mail.template, data })
}

export type VerificationClaims = { email: string; updateTo: string | undefined; jti: string }

/** The claims of a mailed link, if this installation signed it; throws a separate error for an expired one. */
export async function readToken(ctx: Context, token: string): Promise<VerificationClaims> {
  for (const [index, key] of ctx.secrets.jwtKeys.entries()) {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        currentDate: ctx.clock.now(),
        requiredClaims: ['exp', 'jti'],
      })
      const { email, updateTo, jti } = payload
      if (typeof email !== 'string' || !jti || (updateTo !== undefined && typeof updateTo !== 'string')) break
      return { email, updateTo, jti }
    } catch (error) {
      if (error instanceof joseErrors.JWTExpired) throw new TollgateError('VERIFY_TOKEN_EXPIRED', { cause: error })
      const mayBeOlderKey =
        error instanceof joseErrors.JWSSignatureVerificationFailed && index < ctx.secrets.jwtKeys.length - 1
      if (!mayBeOlderKey) throw new TollgateError('VERIFY_INVALID_TOKEN', { cause: error })
    }
  }
  throw new TollgateError('VERIFY_INVALID_TOKEN')
}
