import { inputIssues } from '@tollgate/contract/billing-schemas'
import type { ErrorName } from '@tollgate/contract/calls'
import type { z } from 'zod'
import { TollgateError } from '../error.ts'
import type { AnyApi, Part } from './api.ts'
import type { Spelling } from './spelling.ts'

type Parse = AnyApi['parse']

/** Refuses a malformed part with one error, without details. */
export const refusing =
  (names: Readonly<Record<Part, ErrorName>>): Parse =>
  (part, schema, value) => {
    const parsed = schema.safeParse(value)
    if (!parsed.success) throw new TollgateError(names[part], { cause: parsed.error })
    return parsed.data
  }

/** Refuses a malformed part with REQUEST_INVALID and all its issues, in wire format. */
export const explaining = ({ path, poisoned }: Spelling): Parse => {
  const placed = (part: Part, schema: z.ZodType, at: readonly PropertyKey[]) => [
    part === 'params' ? 'path' : part,
    ...path(schema, at),
  ]
  return (part, schema, value) => {
    const names = poisoned(schema, value)
    if (names.length > 0) {
      const fault = { msg: 'Input should not have this key', type: 'value_error' }
      const issues = names.map((name) => ({ loc: placed(part, schema, [name, '__proto__']), ...fault }))
      throw new TollgateError('REQUEST_INVALID', { issues })
    }
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    const issues = inputIssues(parsed.error.issues).map(({ path: at, msg, type }) => ({
      loc: placed(part, schema, at),
      msg,
      type,
    }))
    throw new TollgateError('REQUEST_INVALID', { cause: parsed.error, issues })
  }
}
