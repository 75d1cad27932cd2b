import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { chainOf, isNode, nameOf, type SyntaxNode, syntaxOf } from '../scripts/rules/syntax.ts'

/** Files whose place and name say that the database counts. */
const places = [
  /\/foundation\/db\//, // the drivers, their dialects and the migrations
  /\/foundation\/jobs?[^/]*\.test\.ts$/, // leases and slots, which processes share
  /\/(migrate|transfer|races|lock-order|property|history)\.test\.ts$/, // moves between databases, locks, and long stories
]

/** Modules that run SQL without a service around it. */
const sql = /(?:\.repository\.ts|^kysely)$/

/** Calls that make requests meet: races, locks and limits. */
const meetings = new Set(['Promise.all', 'Promise.allSettled', 'beforeNextTransaction'])

/**
 * The tests of a server's test file that run on PostgreSQL in every run, and not only with `--all`: `'all'`, those whose
 * names match a pattern, or none (undefined).
 */
export function testsOnBothDatabases(file: string, text: string): 'all' | RegExp | undefined {
  if (places.some((place) => place.test(file))) return 'all'
  if (![...meetings, '.repository.ts', 'kysely'].some((word) => text.includes(word))) return undefined
  const names = namesOfTests(file, text)
  return names.length > 0 ? new RegExp(names.map(patternOf).join('|')) : undefined
}

/** The server's test files with such tests; paths from the root. */
export function filesOnBothDatabases(root: string): string[] {
  const folder = 'packages/server/src'
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => testsOnBothDatabases(file, readFileSync(path.join(root, file), 'utf8')) !== undefined)
    .sort()
}

/** The names of the tests that make requests meet or run SQL, themselves or by a function of their file. */
function namesOfTests(file: string, text: string): string[] {
  const { nodes } = syntaxOf(file, text)
  const tests = nodes.filter(isTest)
  const functions = nodes.flatMap((node) => {
    const name = nameOf(node.id)
    const isFunction = node.type === 'FunctionDeclaration' || node.type === 'VariableDeclarator'
    return isFunction && name !== undefined && !tests.some((test) => isWithin(node, test)) ? [{ name, node }] : []
  })

  const decisive = new Set([...meetings, ...nodes.flatMap(importedSql)])
  const counts = (whole: SyntaxNode) =>
    nodes.some((node) => isWithin(node, whole) && node !== whole && decisive.has(nameIn(node) ?? ''))
  for (let before = -1; before !== decisive.size; ) {
    before = decisive.size
    for (const { name, node } of functions) if (!decisive.has(name) && counts(node)) decisive.add(name)
  }
  return tests.filter(counts).map((test) => nameOfTest(test, text))
}

/** The names under which a file imports functions that run SQL. */
function importedSql(node: SyntaxNode): string[] {
  if (node.type !== 'ImportDeclaration' || node.importKind === 'type') return []
  if (!isNode(node.source) || !sql.test(String(node.source.value))) return []
  const specifiers = node.specifiers as readonly SyntaxNode[] // an import's, by its kind
  return specifiers.flatMap(({ importKind, local }) => (importKind === 'type' ? [] : [nameOf(local) ?? '']))
}

/** `test('name', …)`, `test.each(…)('name', …)` and the like. */
function isTest(node: SyntaxNode): boolean {
  if (node.type !== 'CallExpression' || chainOf(node.callee)?.[0] !== 'test') return false
  const [name] = node.arguments as readonly unknown[] // a call's arguments
  return isNode(name) && (typeof name.value === 'string' || name.type === 'TemplateLiteral')
}

/** What a call or a name could be known by: `Promise.all`, or the last word of anything else. */
function nameIn(node: SyntaxNode): string | undefined {
  if (node.type === 'Identifier') return nameOf(node)
  return node.type === 'MemberExpression' ? chainOf(node)?.join('.') : undefined
}

function isWithin(node: SyntaxNode, whole: SyntaxNode): boolean {
  return node.start >= whole.start && Number(node.end) <= Number(whole.end)
}

function nameOfTest(test: SyntaxNode, text: string): string {
  const [name] = test.arguments as readonly SyntaxNode[] // isTest has looked at it
  return typeof name?.value === 'string' ? name.value : text.slice(Number(name?.start) + 1, Number(name?.end) - 1)
}

/** A test's name as a pattern: what a table or a variable puts into it may be anything. */
function patternOf(name: string): string {
  const filled = /\$\{[^}]*\}|\$[\w.]+|%[sdifjo#$]/
  const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return name.split(filled).map(literal).join('.*')
}
