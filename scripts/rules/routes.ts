import { type Finding, type Project, type Rule, textsOf } from './project.ts'
import { isNode, nameOf, type SyntaxNode, syntaxOf } from './syntax.ts'

const table = 'packages/contract/src/calls.ts'

/** The compiler sees to it that every call has a route; this also finds the one that has two. */
export const routes: Rule = {
  name: 'routes',
  why: 'every call of the contract is mounted exactly once, so that its name leads to one place in the server',
  check: async (project) => {
    const { authCalls } = await import('../../packages/contract/src/calls.ts')
    return unmountedCalls(project, Object.keys(authCalls))
  },
}

/** Calls that no `*.routes.ts` has as a key of a table or as an export, or that more than one has. */
export function unmountedCalls(project: Project, names: readonly string[]): Finding[] {
  const mounted = new Map<string, Set<string>>()
  for (const [file, text] of textsOf(project, (place) => /^packages\/server\/src\/.*\.routes\.ts$/.test(place))) {
    for (const node of syntaxOf(file, text).nodes) {
      for (const name of namesOf(node)) mounted.set(name, (mounted.get(name) ?? new Set()).add(file))
    }
  }
  return names.flatMap((name) => {
    const files = [...(mounted.get(name) ?? [])]
    if (files.length === 1) return []
    const message = files.length === 0 ? `${name} is in no *.routes.ts` : `${name} is in ${files.join(' and in ')}`
    return [{ file: files[0] ?? table, line: 1, message }]
  })
}

/** A line of a table of routes, or an exported function for a call that is a page. */
function namesOf(node: SyntaxNode): string[] {
  if (node.type === 'Property') return node.computed === true ? [] : [nameOf(node.key) ?? '']
  if (node.type !== 'ExportNamedDeclaration' || !isNode(node.declaration)) return []
  const { declaration } = node
  const declared =
    declaration.type === 'VariableDeclaration' ? (declaration.declarations as SyntaxNode[]) : [declaration]
  return declared.map(({ id }) => nameOf(id) ?? '')
}
