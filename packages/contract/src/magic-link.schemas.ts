import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { address, callbackErrors, captchaErrors, requestErrors, storable, text, token, url } from './fields.ts'
import { sessionUser, user } from './identity.schemas.ts'
import type { magicLinkCalls } from './magic-link.calls.ts'

/** Bodies, answers and refusals of sign-in by a mailed link or code. */
export const magicLinkSchemas = {
  signInMagicLink: {
    summary: 'Mails a link and a six-digit code that sign in once. The answer is the same for every address.',
    body: z.object({
      email: address,
      name: text.optional(),
      callbackURL: url.optional(),
      newUserCallbackURL: url.optional(),
      errorCallbackURL: url.optional(),
    }),
    output: z.object({ status: z.literal(true) }),
    errors: [...requestErrors, ...captchaErrors, ...callbackErrors, 'INVALID_EMAIL', 'NOT_FOUND'],
  },
  verifyMagicLink: {
    summary: 'Signs in with the mailed link, once; redirects if a callbackURL is given.',
    query: z.object({
      token,
      callbackURL: url.optional(),
      newUserCallbackURL: url.optional(),
      errorCallbackURL: url.optional(),
    }),
    output: z.object({ token: z.string(), user: sessionUser }),
    errors: [
      ...callbackErrors,
      'INVALID_QUERY',
      'MAGIC_LINK_INVALID_TOKEN',
      'MAGIC_LINK_EXPIRED_TOKEN',
      'MAGIC_LINK_FAILED_TO_CREATE_USER',
      'BANNED_USER',
      'TOO_MANY_REQUESTS',
      'FAILED_TO_CREATE_SESSION',
      'NOT_FOUND',
    ],
  },
  signInEmailOtp: {
    summary: 'Signs in with the mailed six-digit code; five tries, which the mail’s link shares.',
    body: z.object({ email: address, otp: storable(32), rememberMe: z.boolean().optional() }),
    output: z.object({ token: z.string(), user }),
    errors: [
      ...requestErrors,
      'INVALID_EMAIL',
      'INVALID_OTP',
      'OTP_EXPIRED',
      'TOO_MANY_ATTEMPTS',
      'BANNED_USER',
      'FAILED_TO_CREATE_SESSION',
      'NOT_FOUND',
    ],
  },
} as const satisfies Record<keyof typeof magicLinkCalls, Endpoint>
