import path from 'node:path'
import { type Finding, isTest, isTypeScript, type Project, type Rule, textsOf } from './project.ts'
import { type SyntaxNode, syntaxOf } from './syntax.ts'

const english = /^packages\/server\/src\/.*\/locales\/en\.json$/

/** A missing text leaves a hole in a mail, and a missing placeholder hides what the mail is about. */
export const texts: Rule = {
  name: 'texts',
  why: 'every language has the texts of en.json with their placeholders, and the program uses each (docs/translating.md)',
  check: (project) => {
    const folders = project.files.filter((file) => english.test(file)).map((file) => path.posix.dirname(file))
    const languages = new Set(folders.flatMap((folder) => languagesIn(project, folder)))
    return folders.flatMap((folder) => [
      ...unusedIn(project, folder),
      ...[...languages].flatMap((language) => faultsOf(project, folder, language)),
    ])
  },
}

const languagesIn = (project: Project, folder: string): string[] =>
  project.files
    .filter((file) => path.posix.dirname(file) === folder && file.endsWith('.json'))
    .map((file) => path.posix.basename(file, '.json'))

/** Where a language differs from English, text by text. */
function faultsOf(project: Project, folder: string, language: string): Finding[] {
  const file = `${folder}/${language}.json`
  const text = project.find(file)
  if (text === null) return [{ file, line: 1, message: 'is missing; other folders have this language' }]
  const expected = textsIn(project.find(`${folder}/en.json`) ?? '{}')
  const found = textsIn(text)
  const finding = (name: string, message: string): Finding => ({
    file,
    line: lineOf(text, name),
    message: `${name} ${message}`,
  })
  return [
    ...[...expected.keys()].filter((name) => !found.has(name)).map((name) => finding(name, 'is missing')),
    ...[...found].flatMap(([name, words]) => {
      const model = expected.get(name)
      if (model === undefined) return [finding(name, 'is not in en.json')]
      if (words.trim() === '') return [finding(name, 'is empty')]
      const [has, needs] = [placeholdersIn(words), placeholdersIn(model)]
      return has === needs
        ? []
        : [finding(name, `has the placeholders ${has || 'none'}; en.json has ${needs || 'none'}`)]
    }),
  ]
}

/** The texts of a file by their path, such as `receipt.body.0`. */
function textsIn(json: string): Map<string, string> {
  const found = new Map<string, string>()
  const walk = (value: unknown, name: string): void => {
    if (typeof value === 'object' && value !== null)
      for (const [key, member] of Object.entries(value)) walk(member, name === '' ? key : `${name}.${key}`)
    else found.set(name, String(value))
  }
  walk(JSON.parse(json), '')
  return found
}

const placeholdersIn = (text: string): string =>
  Array.from(text.matchAll(/\{[^}]*\}/g), ([found]) => found)
    .sort()
    .join(' ')

/** Members of `en.json` whose names the folder's room does not mention. */
function unusedIn(project: Project, folder: string): Finding[] {
  const room = `${path.posix.dirname(folder)}/`
  const code = textsOf(project, (file) => file.startsWith(room) && isTypeScript(file) && !isTest(file))
  const mentioned = new Set([...code].flatMap(([file, text]) => syntaxOf(file, text).nodes.flatMap(mentionedBy)))
  const file = `${folder}/en.json`
  const text = project.find(file) ?? '{}'
  const members = new Set([...textsIn(text).keys()].flatMap((name) => name.split('.')))
  return [...members]
    .filter((member) => !/^\d+$/.test(member) && !mentioned.has(member))
    .map((member) => ({ file, line: lineOf(text, member), message: `${member} is not used in ${room}` }))
}

/** The names in code: identifiers, and strings such as a template's name. */
function mentionedBy({ type, name, value }: SyntaxNode): string[] {
  const said = type === 'Identifier' ? name : type === 'Literal' ? value : undefined
  return typeof said === 'string' ? [said] : []
}

/** The line of a text's nearest member that the file has; the first line if it has none. */
function lineOf(json: string, name: string): number {
  const lines = json.split('\n')
  let at = 0
  for (const member of name.split('.')) {
    const next = lines.findIndex(
      (line, index) => index >= at && line.trimStart().startsWith(`${JSON.stringify(member)}:`),
    )
    if (next !== -1) at = next
  }
  return at + 1
}
