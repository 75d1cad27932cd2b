import { type Finding, type Project, type Rule, textsOf } from './project.ts'
import { isNode, nameOf, type SyntaxNode, syntaxOf } from './syntax.ts'

const table = 'packages/contract/src'

/** Files that answer calls: services and pages by their exports, and the APIs by the rows of their tables. */
const answering = /^packages\/server\/src\/(features\/.*\.service|features\/[^/]+-api|pages\/pages\.routes)\.ts$/

/** The compiler requires a handler for each call. This rule also finds the call that has two. */
export const handlers: Rule = {
  name: 'handlers',
  why: 'every call of the contract has one handler under its name, so that the name leads to one place in the server',
  check: async (project) => {
    const { authCalls } = await import('../../packages/contract/src/calls.ts')
    const { billingCalls } = await import('../../packages/contract/src/billing/calls.ts')
    return callsWithoutOneHandler(project, [...Object.keys(authCalls), ...Object.keys(billingCalls)])
  },
}

/** Calls that no answering file exports, or that more than one exports. */
export function callsWithoutOneHandler(project: Project, names: readonly string[]): Finding[] {
  const filesOf = new Map<string, Set<string>>()
  for (const [file, text] of textsOf(project, (place) => answering.test(place))) {
    for (const node of syntaxOf(file, text).nodes) {
      for (const name of namesOf(file, node)) filesOf.set(name, (filesOf.get(name) ?? new Set()).add(file))
    }
  }
  return names.flatMap((name) => {
    const files = [...(filesOf.get(name) ?? [])]
    if (files.length === 1) return []
    const message = files.length === 0 ? `${name} has no handler` : `${name} is in ${files.join(' and in ')}`
    return [{ file: files[0] ?? table, line: 1, message }]
  })
}

function namesOf(file: string, node: SyntaxNode): string[] {
  if (node.type === 'Property' && file.endsWith('-api.ts'))
    return node.computed === true ? [] : [nameOf(node.key) ?? '']
  if (node.type !== 'ExportNamedDeclaration' || !isNode(node.declaration)) return []
  const { declaration } = node
  const declared =
    declaration.type === 'VariableDeclaration' ? (declaration.declarations as SyntaxNode[]) : [declaration]
  return declared.map(({ id }) => nameOf(id) ?? '')
}
