import { mapKeys, snakeKey } from '@tollgate/contract/billing'
import { inputIssues } from '@tollgate/contract/billing-schemas'
import type { z } from 'zod'
import { FieldErrors } from './field-errors.ts'

/** Texts of refused members, by the end of their path in the wire's spelling, without places in lists; or by kind of issue. */
type Words = Readonly<Record<string, string | ((type: string) => string)>>

/**
 * The body of a call, checked by the schema with which the server checks it. Throws FieldErrors with the wire's names:
 * the form's own text for a member, or else the server's.
 */
export function contractBody<Body>(schema: z.ZodType<unknown, Body>, body: Body, words: Words): Body {
  const { error } = schema.safeParse(body)
  if (!error) return body
  const messages = new Map<string, string>()
  for (const { path, msg, type } of inputIssues(error.issues)) {
    const place = wirePath(path)
    if (!messages.has(place)) messages.set(place, wordOf(place, type, words) ?? msg)
  }
  throw new FieldErrors(messages)
}

/** A member's path as the server names it; keys of the caller's maps stay as they are. */
export function wirePath(path: readonly PropertyKey[]): string {
  const map = path.findIndex((name) => mapKeys.has(String(name)))
  return path.map((name, index) => (map !== -1 && index > map ? String(name) : snakeKey(String(name)))).join('.')
}

/** The text with the longest matching end: `properties.options` comes before `options`. */
function wordOf(path: string, type: string, words: Words): string | undefined {
  const names = path.split('.').filter((name) => !/^\d+$/.test(name))
  const ends = names.map((_, index) => names.slice(index).join('.'))
  const word = words[ends.find((end) => Object.hasOwn(words, end)) ?? '']
  return typeof word === 'function' ? word(type) : word
}

/** The whole number in a field: null when it is empty, and NaN, which the schemas refuse, when it is something else. */
export function wholeIn(text: string): number | null {
  if (text.trim() === '') return null
  return /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN
}
