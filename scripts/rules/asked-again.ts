import { type Finding, isTypeScript, type Rule, textsOf } from './project.ts'
import { chainOf, isNode, nameOf, type SyntaxNode, syntaxOf } from './syntax.ts'

const features = /^packages\/server\/src\/features\//
const administration = /^packages\/server\/src\/features\/admin\//

/** What takes long: a hash, another server, a disk. What was checked before it may have ended after it. */
const slow = new Set([
  'hashNewPassword',
  'hashCheckedPassword',
  'checkPassword',
  'isProven',
  'ctx.passwords.hash',
  'ctx.passwords.verify',
  'ctx.files.join',
  'ctx.resolveTxt',
  'ctx.fetch',
])

/** What asks again inside the transaction, or writes only while what was checked still holds. */
const asksAgain = new Set([
  'requireStillSession',
  'isStillSession',
  'isStillPassword',
  'replacePassword',
  'consumeProof',
  'requireManager',
  'requireStillMay',
])

/** Functions whose actor has no right to lose meanwhile, and why. */
const withoutActor: Readonly<Record<string, string>> = {
  createDemoUser: 'the demo data has no actor',
  signUp: 'a sign-up begins with no rights; the unique index decides',
  completeFile: 'the upload was allowed when it was announced, and its parts came by signed URLs',
}

/** A right that was checked before something slow is asked for again in the transaction that relies on it. */
export const askedAgain: Rule = {
  name: 'asked again',
  why: 'a right may end while a request waits: administrators write by transactionAsAdministrator, and what follows something slow asks again',
  check: (project) =>
    [...textsOf(project, (file) => features.test(file) && isTypeScript(file) && !file.includes('.test'))].flatMap(
      ([file, text]) => [...ofAdministrators(file, text), ...afterSlow(file, text)],
    ),
}

const isTransaction = (node: SyntaxNode): boolean =>
  node.type === 'CallExpression' && chainOf(node.callee)?.join('.') === 'ctx.transaction'

function ofAdministrators(file: string, text: string): Finding[] {
  if (!administration.test(file)) return []
  const syntax = syntaxOf(file, text)
  return syntax.nodes.filter(isTransaction).map((node) => ({
    file,
    line: syntax.lineOf(node),
    message: 'an administrator’s request writes by transactionAsAdministrator, which asks again',
  }))
}

/** A function declaration, or a constant that holds an arrow function. */
const isNamedFunction = ({ type, body, init }: SyntaxNode): boolean =>
  type === 'FunctionDeclaration'
    ? isNode(body)
    : type === 'VariableDeclarator' && isNode(init) && init.type === 'ArrowFunctionExpression'

function afterSlow(file: string, text: string): Finding[] {
  const syntax = syntaxOf(file, text)
  const calls = syntax.nodes.filter((node) => node.type === 'CallExpression')
  const called = (node: SyntaxNode) => chainOf(node.callee)?.join('.') ?? ''
  const isIn = (inner: SyntaxNode, outer: SyntaxNode) => inner.start > outer.start && inner.start < Number(outer.end)
  const functions = syntax.nodes.filter(isNamedFunction)
  return functions.flatMap((whole) => {
    if ((nameOf(whole.id) ?? '') in withoutActor) return []
    const own = calls.filter((call) => isIn(call, whole))
    const firstSlow = own.find((call) => slow.has(called(call)))
    if (!firstSlow) return []
    return own
      .filter((call) => isTransaction(call) && call.start > firstSlow.start)
      .filter((transaction) => !own.some((call) => isIn(call, transaction) && asksAgain.has(called(call))))
      .map((transaction) => ({
        file,
        line: syntax.lineOf(transaction),
        message: `what was checked before ${called(firstSlow)} is asked again in this transaction`,
      }))
  })
}
