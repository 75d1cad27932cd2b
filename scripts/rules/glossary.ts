import { type Finding, type Project, type Rule, textsOf } from './project.ts'
import { syntaxOf } from './syntax.ts'

const page = 'docs/glossary.md'
const heading = '## English words to avoid'

const isJson = (file: string): boolean => /\/locales\/(?:[\w-]+\/)?en\.json$/.test(file)
const isCode = (file: string): boolean => file.endsWith('.texts.ts')

/** One term per thing: readers take a second word for a second thing, and translators follow the English. */
export const glossary: Rule = {
  name: 'glossary',
  why: `English texts use the glossary's words (${page})`,
  check: (project) => {
    const rows = rowsOf(project)
    return [
      ...[...textsOf(project, isJson)].flatMap(([file, text]) =>
        text.split('\n').flatMap((line, at) => findingsIn(rows, file, at + 1, line.replace(/^\s*"[^"]*":/, ''))),
      ),
      ...[...textsOf(project, isCode)].flatMap(([file, text]) => {
        const syntax = syntaxOf(file, text)
        return syntax.nodes.flatMap((node) => findingsIn(rows, file, syntax.lineOf(node), textOf(node.value)))
      }),
    ]
  },
}

/** A row of the table of words to avoid. */
type Row = { readonly avoid: RegExp; readonly write: string }

/** The rows of the table under the heading: the words to avoid, with commas between them, and what to write. */
function rowsOf(project: Project): Row[] {
  const [, section = ''] = (project.find(page) ?? '').split(heading)
  const [table = ''] = section.split('\n## ')
  const cells = table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  return cells.slice(2).map(([, words = '', write = '']) => ({
    avoid: new RegExp(`\\b(?:${words.split(', ').join('|')})\\b`, 'i'),
    write,
  }))
}

/** What a string or a part of a template says. */
const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : ''
}

function findingsIn(rows: readonly Row[], file: string, line: number, text: string): Finding[] {
  return rows.flatMap(({ avoid, write }) => {
    const [found] = avoid.exec(text) ?? []
    return found === undefined ? [] : [{ file, line, message: `"${found}": write ${write}` }]
  })
}
