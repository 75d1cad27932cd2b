import { type Finding, isTypeScript, type Rule, textsOf } from './project.ts'
import { nameOf, type SyntaxNode, syntaxOf } from './syntax.ts'

const identity = 'packages/server/src/features/identity'
const places = /^packages\/server\/src\/.*(?<!\.test)\.ts$/
const writer = `${identity}/session.repository.ts`
const decider = `${identity}/complete-sign-in.service.ts`

/** A session that begins elsewhere skips the ban, the verified address and every later challenge. */
export const sessions: Rule = {
  name: 'sessions',
  why: 'completeSignIn decides whether a sign-in becomes a session, so only its file inserts one',
  check: (project) =>
    [...textsOf(project, (file) => places.test(file) && isTypeScript(file))].flatMap(([file, text]) => {
      const syntax = syntaxOf(file, text)
      return syntax.nodes.flatMap((node): Finding[] => {
        if (file !== writer && isInsert(node))
          return [
            { file, line: syntax.lineOf(node), message: `inserts into "session"; call completeSignIn of ${decider}` },
          ]
        if (file !== writer && file !== decider && node.type === 'Identifier' && nameOf(node) === 'insertSession')
          return [
            { file, line: syntax.lineOf(node), message: `names insertSession; call completeSignIn of ${decider}` },
          ]
        return []
      })
    }),
}

function isInsert(node: SyntaxNode): boolean {
  if (node.type !== 'CallExpression' || nameOf(memberOf(node.callee)) !== 'insertInto') return false
  const [table] = node.arguments as SyntaxNode[]
  return table?.type === 'Literal' && table.value === 'session'
}

const memberOf = (callee: unknown): unknown => (callee as SyntaxNode).property
