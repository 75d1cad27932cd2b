import { type AuthCallName, authCalls, type Call } from '@tollgate/contract/calls'
import type { Config } from '../config.ts'

/** Calls that do the same under two names: whoever names one means both. */
const otherNames: Readonly<Record<string, string>> = {
  '/forget-password': '/request-password-reset',
  '/request-password-reset': '/forget-password',
}

/** Calls of forms that a widget can be drawn in, on the hosted pages and by the components. */
export const drawnFor = [
  'signInEmail',
  'signInUsername',
  'signInMagicLink',
  'signUpEmail',
  'requestPasswordReset',
  'sendVerificationEmail',
] as const satisfies readonly AuthCallName[]

/** Whether some form can get the answer that the call of a path wants. */
export const isDrawn = (endpoint: string): boolean => drawnFor.some((name) => isMeant(endpoint, authCalls[name]))

/** Whether a path of the configuration means a call. */
export function isMeant(endpoint: string, { method, path, takesForm, serverOnly }: Call): boolean {
  // What a browser is sent to, by a link or by a provider's page, cannot bring an answer along.
  if (method !== 'POST' || takesForm || serverOnly) return false
  return endpoint === path || endpoint === otherNames[path]
}

/** Whether a call wants the answer to a captcha. */
export function isGuarded({ captcha }: Pick<Config, 'captcha'>, call: Call): boolean {
  if (captcha === false) return false
  return captcha.endpoints ? captcha.endpoints.some((endpoint) => isMeant(endpoint, call)) : call.captcha === true
}
