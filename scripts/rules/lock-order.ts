import { isTypeScript, type Rule, textsOf } from './project.ts'
import { isNode, nameOf, type SyntaxNode, syntaxOf } from './syntax.ts'

const server = /^packages\/server\/src\//
const place = 'packages/server/src/foundation/db/lock-order.ts'
const locking = new Set(['forUpdate', 'forNoKeyUpdate', 'forShare', 'forKeyShare'])

/** The order of locks is code: whatever locks a row says where in the order it stands. */
export const lockOrder: Rule = {
  name: 'lock order',
  why: 'rows are locked by lockInOrder, or by a prepared query after enterLock, so that a lock out of order is found',
  check: (project) =>
    [...textsOf(project, (file) => server.test(file) && isTypeScript(file) && !file.includes('.test.'))].flatMap(
      ([file, text]) => {
        if (file === place || !/\.for\w+\(\)/.test(text)) return []
        const syntax = syntaxOf(file, text)
        const calls = syntax.nodes.filter((node) => node.type === 'CallExpression')
        const prepared = calls.filter(({ callee }) => nameOf(callee) === 'prepare')
        const enters = calls.some(({ callee }) => nameOf(callee) === 'enterLock')
        // What skips locked rows waits for none.
        const skipping = new Set(
          calls.flatMap(({ callee }) =>
            isNode(callee) && nameOf(callee.property) === 'skipLocked' ? [callee.object] : [],
          ),
        )
        const isIn = (inner: SyntaxNode, outer: SyntaxNode) =>
          inner.start >= outer.start && inner.start < Number(outer.end)
        return calls
          .filter(({ callee }) => isNode(callee) && locking.has(nameOf(callee.property) ?? ''))
          .filter((call) => !skipping.has(call))
          .filter((call) => !(enters && prepared.some((each) => isIn(call, each))))
          .map((call) => ({ file, line: syntax.lineOf(call), message: 'a row is locked by lockInOrder' }))
      },
    ),
}
