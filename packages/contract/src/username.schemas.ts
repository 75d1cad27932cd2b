import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { captchaErrors, password, requestErrors, text, url, usernameErrors } from './fields.ts'
import { user } from './identity.schemas.ts'
import type { usernameCalls } from './username.calls.ts'

/** Bodies, answers and refusals of the username calls. */
export const usernameSchemas = {
  signInUsername: {
    summary: 'Signs in with username and password.',
    body: z.object({
      // An absent field counts as empty and is refused (specification, section 8: "missing input").
      username: text.default(''),
      password: password.default(''),
      rememberMe: z.boolean().optional(),
      callbackURL: url.optional().describe('For the verification mail to an unverified address.'),
    }),
    output: z.object({ token: z.string(), user: user.extend({ username: z.string().nullable() }) }),
    errors: [
      ...requestErrors,
      ...captchaErrors,
      'USERNAME_TOO_SHORT',
      'USERNAME_TOO_LONG',
      'USERNAME_INVALID',
      'INVALID_USERNAME_OR_PASSWORD',
      'USERNAME_EMAIL_NOT_VERIFIED',
      'USERNAME_UNEXPECTED_ERROR',
      'EMAIL_AND_PASSWORD_DISABLED',
      'BANNED_USER',
      'INVALID_CALLBACK_URL',
      'SERVICE_BUSY',
      'FAILED_TO_CREATE_SESSION',
      'UNABLE_TO_CREATE_VERIFICATION',
      'NOT_FOUND',
    ],
  },
  isUsernameAvailable: {
    summary: 'Tells whether a username is available.',
    body: z.object({ username: text }),
    output: z.object({ available: z.boolean() }),
    errors: [...requestErrors, ...usernameErrors, 'NOT_FOUND'],
  },
} as const satisfies Record<keyof typeof usernameCalls, Endpoint>
