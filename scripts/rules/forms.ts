import { isTest, isTypeScript, type Rule, textsOf } from './project.ts'
import { chainOf, syntaxOf } from './syntax.ts'

const rows = /^packages\/contract\/src\/forms\//
const senders = /^(packages\/react\/src|packages\/server\/src\/pages|apps\/web\/src\/hosted)\//

/** A form that makes its call a second time would drift from the one that is posted without a script. */
export const forms: Rule = {
  name: 'forms',
  why: 'the calls of a form stand in its row of packages/contract/src/forms, for the server and for the component',
  check: (project) => {
    const calls = new Set(
      [...textsOf(project, (file) => rows.test(file) && !isTest(file))].flatMap(([, text]) =>
        [...text.matchAll(/\bcalls: \[([^\]]*)\]/g)].flatMap(([, list = '']) => list.match(/\w+/g) ?? []),
      ),
    )
    return [...textsOf(project, (file) => senders.test(file) && isTypeScript(file) && !isTest(file))].flatMap(
      ([file, text]) => {
        const syntax = syntaxOf(file, text)
        return syntax.nodes.flatMap((node) => {
          if (node.type !== 'CallExpression') return []
          const [object, method = ''] = chainOf(node.callee)?.slice(-2) ?? []
          // `client.signOut()` in a component, `visit.call('signOut')` on the server.
          const [first] = node.arguments as { type: string; value?: unknown }[]
          const call = object === 'client' ? method : method === 'call' ? String(first?.value) : ''
          return calls.has(call) ? [{ file, line: syntax.lineOf(node), message: `${call} is the call of a row` }] : []
        })
      },
    )
  },
}
