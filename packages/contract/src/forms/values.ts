import type { Values } from './form.ts'

/** The addresses in a text, each once, separated by blanks, commas, semicolons or lines. */
export const addressesIn = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter((part) => part !== ''))]

/** The names after a prefix among the submitted fields: `role.admin` → `admin`. */
export const tickedAfter = (prefix: string, values: Values): string[] =>
  Object.keys(values).flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []))

/** `permission.team.create` → `{ team: ['create'] }`. */
export function permissionsIn(values: Values): Record<string, string[]> {
  const permissions = new Map<string, string[]>()
  for (const ticked of tickedAfter('permission.', values)) {
    const dot = ticked.indexOf('.')
    const resource = ticked.slice(0, dot)
    permissions.set(resource, [...(permissions.get(resource) ?? []), ticked.slice(dot + 1)])
  }
  return Object.fromEntries(permissions)
}

/** The object that a JSON text holds, an empty one for an empty text; undefined for other texts. */
export function metadataIn(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
