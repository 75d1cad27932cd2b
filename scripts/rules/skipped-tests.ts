import { isTest, type Rule, textsOf } from './project.ts'
import { chainOf, syntaxOf } from './syntax.ts'

const starts = new Set(['test', 'it', 'describe', 'suite'])
const ways = new Set(['skip', 'only', 'todo', 'fixme', 'fails', 'skipIf', 'runIf'])
const names = new Set(['xit', 'xtest', 'xdescribe', 'fit', 'fdescribe'])

/** A suite that passes has run. */
export const skippedTests: Rule = {
  name: 'skipped tests',
  why: 'a test that is skipped, focused or left for later proves nothing while the run looks green',
  check: (project) =>
    [...textsOf(project, isTest)].flatMap(([file, text]) => {
      const syntax = syntaxOf(file, text)
      return syntax.nodes.flatMap((node) => {
        if (node.type !== 'MemberExpression' && node.type !== 'CallExpression') return []
        const chain = chainOf(node.type === 'CallExpression' ? node.callee : node) ?? []
        const [first = '', ...rest] = chain
        const isSkipped =
          node.type === 'CallExpression'
            ? chain.length === 1 && names.has(first)
            : starts.has(first) && ways.has(rest.at(-1) ?? '')
        return isSkipped ? [{ file, line: syntax.lineOf(node), message: chain.join('.') }] : []
      })
    }),
}
