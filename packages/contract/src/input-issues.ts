import type { z } from 'zod'

/** An issue of an input, in the wording that clients of such APIs expect (billing contract, section 1, "422 body"). */
type Issue = { readonly path: readonly PropertyKey[]; readonly msg: string; readonly type: string }

/** The most issues in one answer. */
const issueLimit = 50

/** Lists the issues; a union reports only those of the variant that the input matches best. */
export const inputIssues = (issues: readonly z.core.$ZodIssue[]): Issue[] =>
  issues.flatMap((issue) => described(issue, [])).slice(0, issueLimit)

function described(issue: z.core.$ZodIssue, before: readonly PropertyKey[]): Issue[] {
  const path = [...before, ...issue.path]
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const [nearest = []] = [...issue.errors].sort((a, b) => depth(b) - depth(a) || a.length - b.length)
    return nearest.flatMap((each) => described(each, path))
  }
  if (issue.code === 'invalid_key' || issue.code === 'invalid_element')
    return issue.issues.flatMap((each) => described(each, path))
  return [{ path, ...worded(issue) }]
}

/** How deep into the input a variant matched. */
const depth = (issues: readonly z.core.$ZodIssue[]): number => Math.max(0, ...issues.map(({ path }) => path.length))

function worded(issue: z.core.$ZodIssue): Pick<Issue, 'msg' | 'type'> {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined && /received undefined/.test(issue.message)
        ? { type: 'missing', msg: 'Field required' }
        : { type: `${issue.expected}_type`, msg: `Input should be a valid ${issue.expected}` }
    case 'too_small':
      return bounded(issue.origin, `${issue.minimum}`, 'least')
    case 'too_big':
      return bounded(issue.origin, `${issue.maximum}`, 'most')
    case 'invalid_value':
      return { type: 'enum', msg: `Input should be ${issue.values.map((value) => `'${String(value)}'`).join(', ')}` }
    case 'invalid_union':
      return { type: 'union_tag_invalid', msg: 'Input should be one of the known kinds' }
    case 'invalid_format':
      return { type: `${issue.format}_parsing`, msg: issue.message }
    default:
      return { type: 'value_error', msg: issue.message }
  }
}

function bounded(origin: string, bound: string, side: 'least' | 'most'): Pick<Issue, 'msg' | 'type'> {
  const isLeast = side === 'least'
  if (origin === 'string')
    return {
      type: isLeast ? 'string_too_short' : 'string_too_long',
      msg: `String should have at ${side} ${bound} characters`,
    }
  if (origin === 'array' || origin === 'set' || origin === 'map')
    return { type: isLeast ? 'too_short' : 'too_long', msg: `List should have at ${side} ${bound} items` }
  return {
    type: isLeast ? 'greater_than_equal' : 'less_than_equal',
    msg: `Input should be ${isLeast ? 'greater' : 'less'} than or equal to ${bound}`,
  }
}
