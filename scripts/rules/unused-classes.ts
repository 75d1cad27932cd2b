import path from 'node:path'
import { type Finding, isTest, isTypeScript, type Project, type Rule, textsOf } from './project.ts'
import { isNode, nameOf, type SyntaxNode, syntaxOf } from './syntax.ts'

const sheets = /^apps\/web\/src\/.*\.css$/
/** Components take the classes of such a sheet from it by name; the build makes the names its own. */
const isModule = (file: string): boolean => file.endsWith('.module.css')
/** What writes the pages' and the dashboard's elements. */
const elements = /^(apps\/web|packages\/react|packages\/server\/src\/pages)\//

/** Libraries set the classes that begin with these. */
const foreign = /^(?:mantine|u)-/

/** A class that no element can have selects nothing, and one that its module lacks sets nothing. */
export const unusedClasses: Rule = {
  name: 'unused classes',
  why: 'a style sheet has rules only for classes that an element can have, and a component takes only classes that its CSS module has',
  check: (project) => {
    const components = [...textsOf(project, (file) => elements.test(file) && isTypeScript(file) && !isTest(file))]
    const written = new Set(components.flatMap(([file, text]) => syntaxOf(file, text).nodes.flatMap(wordsOf)))
    const takings = components.flatMap(([file, text]) => takingsOf(file, text))
    return [...unused(project, written, takings), ...missing(project, takings)]
  },
}

/** Classes of a sheet that no element has, or of a module that no component takes. */
function unused(project: Project, written: ReadonlySet<string>, takings: readonly Taking[]): Finding[] {
  return [...textsOf(project, (file) => sheets.test(file))].flatMap(([file, text]) => {
    const taken = new Set(takings.filter(({ sheet }) => sheet === file).map(({ name }) => name))
    return classesOf(text)
      .filter(({ name, isGlobal }) => !foreign.test(name) && !(isModule(file) && !isGlobal ? taken : written).has(name))
      .map(({ name, line }): Finding => ({ file, line, message: `no element has the class ${name}` }))
  })
}

/** What components take that is no class of the module. */
function missing(project: Project, takings: readonly Taking[]): Finding[] {
  return takings.flatMap(({ file, line, sheet, name }): Finding[] => {
    if (name === undefined) return [{ file, line, message: `take each class of ${path.basename(sheet)} by its name` }]
    const classes = classesOf(project.find(sheet) ?? '')
    return classes.some((each) => each.name === name && !each.isGlobal)
      ? []
      : [{ file, line, message: `${path.basename(sheet)} has no class ${name}` }]
  })
}

/** A component's use of a module. The name is missing where only a run would tell it. */
type Taking = {
  readonly file: string
  readonly line: number
  readonly sheet: string
  readonly name: string | undefined
}

function takingsOf(file: string, text: string): Taking[] {
  const { nodes, lineOf } = syntaxOf(file, text)
  const modules = new Map(nodes.flatMap((node) => moduleOf(file, node)))
  if (modules.size === 0) return []
  return nodes.flatMap((node): Taking[] => {
    if (node.type !== 'MemberExpression') return []
    const sheet = modules.get(nameOf(node.object) ?? '')
    return sheet === undefined ? [] : [{ file, line: lineOf(node), sheet, name: propertyOf(node) }]
  })
}

/** `import styles from './part.module.css'`: the name with the path of the sheet. */
function moduleOf(file: string, node: SyntaxNode): [name: string, sheet: string][] {
  if (node.type !== 'ImportDeclaration' || !isNode(node.source)) return []
  const specifier = String(node.source.value)
  if (!isModule(specifier)) return []
  const sheet = path.posix.join(path.posix.dirname(file), specifier)
  return (node.specifiers as SyntaxNode[]).map(({ local }) => [nameOf(local) ?? '', sheet]) // as ESTree has it
}

/** The name in `styles.name` and `styles['name']`. */
function propertyOf({ property, computed }: SyntaxNode): string | undefined {
  if (computed !== true) return nameOf(property)
  return isNode(property) && typeof property.value === 'string' ? property.value : undefined
}

/** The words of a string, or of the fixed part of a template: HTML has them between quotes and brackets. */
function wordsOf({ type, value }: SyntaxNode): string[] {
  if (type === 'Literal' && typeof value === 'string') return wordsIn(value)
  return type === 'TemplateElement' ? wordsIn(JSON.stringify(value)) : []
}

const wordsIn = (text: string): string[] => text.split(/[^\w-]+/)

/** A class of a sheet. A module leaves the names in `:global()` as they are. */
type Class = { readonly name: string; readonly line: number; readonly isGlobal: boolean }

/** Each class of a sheet, where a selector first names it. */
function classesOf(text: string): Class[] {
  const plain = text.replace(/\/\*[\s\S]*?\*\/|"[^"\n]*"|'[^'\n]*'|url\([^)]*\)/g, (part) =>
    part.replace(/[^\n]/g, ' '),
  )
  const classes = new Map<string, Class>()
  for (const { 0: selector, index } of plain.matchAll(/[^{};]+(?=\{)/g)) {
    const globals = [...selector.matchAll(/:global\([^()]*\)/g)]
    for (const { 1: name = '', index: inside } of selector.matchAll(/\.([a-zA-Z_][\w-]*)/g)) {
      const isGlobal = globals.some((each) => inside > each.index && inside < each.index + each[0].length)
      const key = `${isGlobal} ${name}`
      const line = plain.slice(0, index + inside).split('\n').length
      if (!classes.has(key)) classes.set(key, { name, line, isGlobal })
    }
  }
  return [...classes.values()]
}
