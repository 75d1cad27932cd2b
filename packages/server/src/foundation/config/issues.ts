import type { z } from 'zod'
import { membersOf } from '../proof/proven.ts'
import { shownAddress } from './shown-address.ts'

/** Members with secret values. */
const isSecretOption = (path: string): boolean => /(^|\.)(secret|clientSecret|privateKey|secretKey)$/.test(path)

/** The given value, without its secrets. */
const shownValue = (given: unknown): string =>
  JSON.stringify(given, (key, value) => (isSecretOption(key) ? 'not shown' : value)) ?? String(given)

/** Describes a wrong value of the file: its name, its value and the allowed ones, in one sentence or several. */
export function describeIssue(issue: z.core.$ZodIssue, file: unknown): string[] {
  const path = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${path ? `${path}.` : ''}${key} is not an option`)
  }
  const inside = issue.code === 'invalid_union' ? issue.errors.find(looksInside) : undefined
  if (inside) return inside.flatMap((one) => describeIssue({ ...one, path: [...issue.path, ...one.path] }, file))
  const given = issue.path.reduce<unknown>((value, key) => membersOf(value)[String(key)], file)
  const printable = path === 'baseURL' && typeof given === 'string' ? shownAddress(given) : given
  const shown = isSecretOption(path) ? 'not shown' : shownValue(printable)
  return [`${path || 'the configuration'} is ${shown}: must be ${allowed(issue)}`]
}

/** Where `false` or options are allowed and options were given, the fault is inside them. */
const looksInside = (issues: readonly z.core.$ZodIssue[]): boolean =>
  issues.some((issue) => issue.path.length > 0 || issue.code === 'unrecognized_keys')

function allowed(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type')
    return issue.expected === 'int' ? 'a whole number' : `a value of type ${issue.expected}`
  if (issue.code === 'invalid_value') return issue.values.map((value) => JSON.stringify(value)).join(' or ')
  const unit = 'origin' in issue && issue.origin === 'string' ? ' characters' : ''
  if (issue.code === 'too_small') return `${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}${unit}`
  if (issue.code === 'too_big') return `at most ${issue.maximum}${unit}`
  if (issue.code === 'invalid_union') return issue.errors.flat().map(allowed).join(' or ')
  return issue.message
}
