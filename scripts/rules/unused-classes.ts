import { type Finding, isTest, isTypeScript, type Rule, textsOf } from './project.ts'
import { type SyntaxNode, syntaxOf } from './syntax.ts'

const sheets = /^apps\/web\/src\/.*\.css$/
/** What writes the pages' and the dashboard's elements. */
const elements = /^(apps\/web|packages\/react|packages\/server\/src\/pages)\//

/** Libraries set the classes that begin with these. */
const foreign = /^(?:mantine|u)-/

/** A class that no element can have selects nothing: its rules only weigh. */
export const unusedClasses: Rule = {
  name: 'unused classes',
  why: 'a style sheet has rules only for classes that an element can have, or rules outlive what they were written for',
  check: (project) => {
    const written = new Set(
      [...textsOf(project, (file) => elements.test(file) && isTypeScript(file) && !isTest(file))].flatMap(
        ([file, text]) => syntaxOf(file, text).nodes.flatMap(wordsOf),
      ),
    )
    return [...textsOf(project, (file) => sheets.test(file))].flatMap(([file, text]) =>
      classesOf(text)
        .filter(({ name }) => !foreign.test(name) && !written.has(name))
        .map(({ name, line }): Finding => ({ file, line, message: `no element has the class ${name}` })),
    )
  },
}

/** The words of a string, or of the fixed part of a template: HTML has them between quotes and brackets. */
function wordsOf({ type, value }: SyntaxNode): string[] {
  if (type === 'Literal' && typeof value === 'string') return wordsIn(value)
  return type === 'TemplateElement' ? wordsIn(JSON.stringify(value)) : []
}

const wordsIn = (text: string): string[] => text.split(/[^\w-]+/)

/** Each class of a sheet, where a selector first names it. */
function classesOf(text: string): { name: string; line: number }[] {
  const plain = text.replace(/\/\*[\s\S]*?\*\/|"[^"\n]*"|'[^'\n]*'|url\([^)]*\)/g, (part) =>
    part.replace(/[^\n]/g, ' '),
  )
  const lines = new Map<string, number>()
  for (const { 0: selector, index } of plain.matchAll(/[^{};]+(?=\{)/g))
    for (const { 1: name = '', index: inside } of selector.matchAll(/\.([a-zA-Z_][\w-]*)/g))
      if (!lines.has(name)) lines.set(name, plain.slice(0, index + inside).split('\n').length)
  return [...lines].map(([name, line]) => ({ name, line }))
}
