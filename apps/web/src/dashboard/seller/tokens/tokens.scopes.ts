import { isScope, type Scope, scopes } from '@tollgate/contract/billing'
import { tokensWords as words } from './tokens.texts.ts'

/** A thing that tokens may be allowed to read and to write; one of the two, where there is nothing else. */
export type ScopeRow = { readonly name: string; readonly label: string; readonly read?: Scope; readonly write?: Scope }
export type ScopeGroup = { readonly title: string; readonly rows: readonly ScopeRow[] }

/** Every scope, as people look for them. */
export const scopeGroups: readonly ScopeGroup[] = words.scopeGroups.map(({ title, resources }) => ({
  title,
  rows: Object.entries(resources).map(([name, label]) => ({
    name,
    label,
    ...scopeIn(name, 'read'),
    ...scopeIn(name, 'write'),
  })),
}))

function scopeIn(name: string, action: 'read' | 'write'): { [action in 'read' | 'write']?: Scope } {
  const scope = `${name}:${action}`
  return isScope(scope) ? { [action]: scope } : {}
}

/** With a scope, or without it: to write includes to read, so that both come and go as people expect. */
export function withScope(held: ReadonlySet<Scope>, scope: Scope, isOn: boolean): ReadonlySet<Scope> {
  const other = scope.endsWith(':write') ? scope.replace(/:write$/, ':read') : scope.replace(/:read$/, ':write')
  const along = isOn === scope.endsWith(':write') && isScope(other) ? [other] : []
  const touched = new Set<Scope>([scope, ...along])
  return new Set(scopes.filter((each) => (touched.has(each) ? isOn : held.has(each))))
}

/** What tokens begin with, or are set to at once. */
export const presets: Readonly<Record<'all' | 'read' | 'none', ReadonlySet<Scope>>> = {
  all: new Set(scopes),
  read: new Set(scopes.filter((scope) => scope.endsWith(':read'))),
  none: new Set(),
}
