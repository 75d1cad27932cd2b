import { type AuthCallName, authCalls, type Call } from '@tollgate/contract/calls'
import type { Config } from './config.ts'

/** The calls whose rows allow a captcha: their forms, on the hosted pages and in the components, have its widget. */
export type GuardableCall = {
  [Name in AuthCallName]: (typeof authCalls)[Name] extends { readonly captcha: string } ? Name : never
}[AuthCallName]

const calls = Object.values<Call>(authCalls)

/** The newer path of each call that has two. */
const newerPaths = new Map(calls.flatMap(({ path, aliasOf }) => (aliasOf === undefined ? [] : [[path, aliasOf]])))
const newerPath = (path: string): string => newerPaths.get(path) ?? path

/** The paths of calls whose forms have a widget. */
export const pathsWithWidget: readonly string[] = calls
  .filter(({ captcha, aliasOf }) => captcha !== undefined && aliasOf === undefined)
  .map(({ path }) => path)

/** Whether a form with the widget makes the call of this path. */
export const hasWidget = (endpoint: string): boolean => pathsWithWidget.includes(newerPath(endpoint))

/** Whether a configured path names this call. */
export function isMeant(endpoint: string, { method, path, takesForm, serverOnly }: Call): boolean {
  // A browser that follows a link or a provider's redirect cannot send a captcha answer.
  if (method !== 'POST' || takesForm || serverOnly) return false
  return newerPath(endpoint) === newerPath(path)
}

/** Whether a call requires a captcha answer. */
export function isGuarded({ captcha }: Pick<Config, 'captcha'>, call: Call): boolean {
  if (captcha === false) return false
  return captcha.endpoints ? captcha.endpoints.some((endpoint) => isMeant(endpoint, call)) : call.captcha === 'default'
}
