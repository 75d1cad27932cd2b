import { isTypeScript, type Rule, textsOf } from './project.ts'
import { chainOf, syntaxOf } from './syntax.ts'

const places = /^packages\/(server|contract)\/src\//
const sources = /^packages\/server\/src\/foundation\/(clock|ids|token)\.ts$/
const forbidden = new Set(['Date.now', 'Math.random', 'Temporal.Now'])

/** A test that moves the clock must move all of it. */
export const time: Rule = {
  name: 'time and chance',
  why: 'the server asks only clock.ts for the time and only ids.ts and token.ts for chance, so that tests decide both',
  check: (project) =>
    [...textsOf(project, (file) => places.test(file) && isTypeScript(file) && !sources.test(file))].flatMap(
      ([file, text]) => {
        const syntax = syntaxOf(file, text)
        return syntax.nodes.flatMap((node) => {
          const line = syntax.lineOf(node)
          if (node.type === 'MemberExpression') {
            const chain = chainOf(node)?.join('.') ?? ''
            return forbidden.has(chain)
              ? [{ file, line, message: `${chain} asks the machine; take ctx.clock or ids.ts` }]
              : []
          }
          // `new Date(value)` only converts; `Date(…)` without `new` ignores what it is given and tells the time.
          const asksDate = chainOf(node.callee)?.join('.') === 'Date'
          const isNow =
            node.type === 'NewExpression' ? (node.arguments as unknown[]).length === 0 : node.type === 'CallExpression'
          return asksDate && isNow ? [{ file, line, message: 'new Date() asks the machine; take ctx.clock.now()' }] : []
        })
      },
    ),
}
