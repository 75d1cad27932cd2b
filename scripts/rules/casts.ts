import { isTest, isTypeScript, type Rule, textsOf } from './project.ts'
import { isNode, nameOf, type SyntaxNode, syntaxOf } from './syntax.ts'

/** What the server may hold of each at most. A lower number is welcome; a higher one needs a sentence in the pull request. */
const ceilings = { casts: 80, '!': 50 } as const

type Kind = keyof typeof ceilings

/** `as const` and the names of imports prove nothing false, so they are not counted. */
function kindOf(node: SyntaxNode): Kind | undefined {
  if (node.type === 'TSNonNullExpression') return '!'
  if (node.type === 'TSTypeAssertion') return 'casts'
  if (node.type !== 'TSAsExpression') return undefined
  const type = isNode(node.typeAnnotation) ? node.typeAnnotation : undefined
  return nameOf(type?.typeName) === 'const' ? undefined : 'casts'
}

const isServer = (file: string): boolean =>
  file.startsWith('packages/server/src/') && isTypeScript(file) && !isTest(file) && !file.endsWith('/src/testing.ts')

/** Counts casts and non-null assertions in the server's own files. */
export const casts: Rule = {
  name: 'casts',
  why: 'a cast or `!` overrides the compiler: narrow the type, or prove it with a function of foundation/proof/proven.ts',
  check: (project) => {
    const found: Record<Kind, { file: string; line: number }[]> = { casts: [], '!': [] }
    for (const [file, text] of textsOf(project, isServer)) {
      const { nodes, lineOf } = syntaxOf(file, text)
      for (const node of nodes) {
        const kind = kindOf(node)
        if (kind) found[kind].push({ file, line: lineOf(node) })
      }
    }
    return (['casts', '!'] as const).flatMap((kind) => {
      const [count, ceiling] = [found[kind].length, ceilings[kind]]
      const message = `${count} of ${kind} in the server, where ${ceiling} are allowed`
      return count > ceiling ? found[kind].slice(-1).map((place) => ({ ...place, message })) : []
    })
  },
}
