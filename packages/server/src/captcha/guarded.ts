import type { Call } from '@tollgate/contract/calls'
import type { Config } from '../config.ts'

/** Calls that do the same under two names: whoever names one means both. */
const otherNames: Readonly<Record<string, string>> = {
  '/forget-password': '/request-password-reset',
  '/request-password-reset': '/forget-password',
}

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
