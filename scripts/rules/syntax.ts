import { parseSync } from 'vite'

/** A node of the syntax tree (ESTree with TypeScript). What it holds besides depends on its type. */
export type SyntaxNode = { readonly type: string; readonly start: number; readonly [key: string]: unknown }

/** A file's syntax: comments and strings cannot be mistaken for code in it. */
export type Syntax = {
  readonly nodes: readonly SyntaxNode[]
  /** What stands between the delimiters of each comment, and the line on which the comment begins. */
  readonly comments: readonly { readonly value: string; readonly line: number }[]
  lineOf(node: SyntaxNode): number
}

/** Something that a file imports or exports from elsewhere. */
export type Import = {
  readonly specifier: string
  readonly line: number
  /** Gone when the types are stripped: nothing of it runs. */
  readonly typeOnly: boolean
  /** An `import()`: loaded where it is run. */
  readonly onDemand: boolean
}

const known = new Map<string, Syntax>()

/** Parses a file, once per text. */
export function syntaxOf(file: string, text: string): Syntax {
  const key = `${file}\0${text}`
  const before = known.get(key)
  if (before) return before
  const { program, comments, errors } = parseSync(file, text)
  if (errors[0]) throw new Error(`${file} cannot be parsed: ${errors[0].message}`)
  const nodes: SyntaxNode[] = []
  collect(program, nodes)
  const lineAt = (position: number): number => text.slice(0, position).split('\n').length
  const syntax: Syntax = {
    nodes,
    comments: comments.map(({ value, start }) => ({ value, line: lineAt(start) })),
    lineOf: (node) => lineAt(node.start),
  }
  known.set(key, syntax)
  return syntax
}

function collect(value: unknown, into: SyntaxNode[]): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, into)
  } else if (isNode(value)) {
    into.push(value)
    for (const child of Object.values(value)) if (typeof child === 'object') collect(child, into)
  }
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** The name of an identifier; undefined for any other expression. */
export function nameOf(value: unknown): string | undefined {
  return isNode(value) && value.type === 'Identifier' ? String(value.name) : undefined
}

/** `['Date', 'now']` for `Date.now`; undefined when it is not a chain of plain names. */
export function chainOf(value: unknown): string[] | undefined {
  if (!isNode(value)) return undefined
  if (value.type === 'Identifier') return [String(value.name)]
  if (value.type === 'CallExpression') return chainOf(value.callee)
  if (value.type !== 'MemberExpression' || value.computed === true) return undefined
  const before = chainOf(value.object)
  const last = nameOf(value.property)
  return before && last !== undefined ? [...before, last] : undefined
}

/** Every import of a file: static, dynamic with a literal, and `export … from`. */
export function importsOf(file: string, text: string): Import[] {
  const syntax = syntaxOf(file, text)
  return syntax.nodes.flatMap((node) => {
    const from = isNode(node.source) ? node.source : undefined
    if (!from || typeof from.value !== 'string') return []
    const kind = node.type === 'ImportDeclaration' ? node.importKind : node.exportKind
    const known = ['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration', 'ImportExpression']
    if (!known.includes(node.type)) return []
    const onDemand = node.type === 'ImportExpression'
    return [{ specifier: from.value, line: syntax.lineOf(node), typeOnly: kind === 'type', onDemand }]
  })
}
