import { type AuthCallName, authCalls, type Call } from '@tollgate/contract/calls'
import type { Config } from './config.ts'

/** Calls with two names: naming one means both. */
const otherNames: Readonly<Record<string, string>> = {
  '/forget-password': '/request-password-reset',
  '/request-password-reset': '/forget-password',
}

/** Calls whose forms can show the widget, on the hosted pages and in the components. */
export const drawnFor = [
  'signInEmail',
  'signInUsername',
  'signInMagicLink',
  'signUpEmail',
  'requestPasswordReset',
  'sendVerificationEmail',
] as const satisfies readonly AuthCallName[]

/** Whether a form with the widget makes the call of this path. */
export const isDrawn = (endpoint: string): boolean => drawnFor.some((name) => isMeant(endpoint, authCalls[name]))

/** Whether a configured path names this call. */
export function isMeant(endpoint: string, { method, path, takesForm, serverOnly }: Call): boolean {
  // A browser that follows a link or a provider's redirect cannot send a captcha answer.
  if (method !== 'POST' || takesForm || serverOnly) return false
  return endpoint === path || endpoint === otherNames[path]
}

/** Whether a call requires a captcha answer. */
export function isGuarded({ captcha }: Pick<Config, 'captcha'>, call: Call): boolean {
  if (captcha === false) return false
  return captcha.endpoints ? captcha.endpoints.some((endpoint) => isMeant(endpoint, call)) : call.captcha === true
}
