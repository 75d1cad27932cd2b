import { type Finding, isTest, isTypeScript, type Rule, textsOf } from './project.ts'
import { chainOf, isNode, nameOf, type SyntaxNode, syntaxOf } from './syntax.ts'

const features = /^packages\/server\/src\/features\//
const administration = /^packages\/server\/src\/features\/admin\//

/** What takes long: a hash, another server, a disk. What was checked before it may have ended after it. */
const slowPorts = ['ctx.passwords.hash', 'ctx.passwords.verify', 'ctx.files.join', 'ctx.resolveTxt', 'ctx.fetch']

/** What asks again inside the transaction, or writes only while what was checked still holds. */
const asksAgain = new Set([
  'requireStillSession',
  'isStillSession',
  'isStillPassword',
  'replacePassword',
  'replaceTokens',
  'consumeProof',
  'requireManager',
  'requireStillMay',
  'stillAdministers',
])

/** Functions whose actor has no right to lose meanwhile, and why. */
const withoutActor: Readonly<Record<string, string>> = {
  createDemoUser: 'the demo data has no actor',
  createOrganizationFor: 'the operator’s own code has no actor',
  signUp: 'a sign-up begins with no rights; the unique index decides',
  completeFile: 'the upload was allowed when it was announced, and its parts came by signed URLs',
}

/** A right that was checked before something slow is asked for again in the transaction that relies on it. */
export const askedAgain: Rule = {
  name: 'asked again',
  why: 'a right may end while a request waits: administrators write by transactionAsAdministrator, and what follows something slow asks again',
  check: (project) => {
    const texts = [...textsOf(project, (file) => features.test(file) && isTypeScript(file) && !isTest(file))]
    const functions = texts.flatMap(([file, text]) => functionsOf(file, text))
    const slow = slowNames(functions)
    return [
      ...texts.flatMap(([file, text]) => ofAdministrators(file, text)),
      ...functions.flatMap((each) => afterSlow(each, slow)),
    ]
  },
}

/** A named function with the calls in it. */
type NamedFunction = {
  readonly file: string
  readonly name: string
  readonly calls: readonly { readonly name: string; readonly node: SyntaxNode }[]
  lineOf(node: SyntaxNode): number
}

const isIn = (inner: SyntaxNode, outer: SyntaxNode) => inner.start > outer.start && inner.start < Number(outer.end)

function functionsOf(file: string, text: string): NamedFunction[] {
  const { nodes, lineOf } = syntaxOf(file, text)
  const calls = nodes
    .filter((node) => node.type === 'CallExpression')
    .map((node) => ({ name: chainOf(node.callee)?.join('.') ?? '', node }))
  return nodes.filter(isNamedFunction).map((whole) => ({
    file,
    name: nameOf(whole.id) ?? '',
    calls: calls.filter(({ node }) => isIn(node, whole)),
    lineOf,
  }))
}

/** The slow ports, and every function that calls something slow. */
function slowNames(functions: readonly NamedFunction[]): ReadonlySet<string> {
  const slow = new Set(slowPorts)
  const isFound = ({ name, calls }: NamedFunction) => !slow.has(name) && calls.some((call) => slow.has(call.name))
  for (let found = functions; found.length > 0; ) {
    found = functions.filter(isFound)
    for (const { name } of found) slow.add(name)
  }
  return slow
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

function afterSlow({ file, name, calls, lineOf }: NamedFunction, slow: ReadonlySet<string>): Finding[] {
  if (name in withoutActor) return []
  const firstSlow = calls.find((call) => slow.has(call.name))
  if (!firstSlow) return []
  return calls
    .filter(({ node }) => isTransaction(node) && node.start > firstSlow.node.start)
    .filter(({ node }) => !calls.some((call) => isIn(call.node, node) && asksAgain.has(call.name)))
    .map(({ node }) => ({
      file,
      line: lineOf(node),
      message: `what was checked before ${firstSlow.name} is asked again in this transaction`,
    }))
}
