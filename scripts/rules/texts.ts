import path from 'node:path'
import { placesOf } from './json-lines.ts'
import { type Finding, isTest, isTypeScript, type Project, type Rule, textsOf } from './project.ts'
import { isNode, nameOf, type SyntaxNode, syntaxOf } from './syntax.ts'
import { computedKeys, sameAsInEnglish, startedFolders } from './texts-tables.ts'

/** A text, or a text for each plural form. */
type Message = string | Readonly<Record<string, string>>

const english = /^(?:packages|apps)\/[^/]+\/src\/(?:.*\/)?locales\/(?:[\w-]+\/)?en\.json$/

/** A missing text leaves a hole in a page or a mail, and a missing placeholder hides what it is about. */
export const texts: Rule = {
  name: 'texts',
  why: 'every language translates the texts of en.json with their placeholders, and the program uses each (docs/translating.md)',
  check: (project) => {
    const folders = project.files.filter((file) => english.test(file)).map((file) => path.posix.dirname(file))
    const languages = new Set(folders.flatMap((folder) => languagesIn(project, folder)))
    return folders.flatMap((folder) => [
      ...unusedIn(project, folder),
      ...[...(startedFolders(folder) ?? languages)].flatMap((language) => faultsOf(project, folder, language)),
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
  const json = project.find(file)
  if (json === null) return [{ file, line: 1, message: 'is missing; other folders have this language' }]
  const expected = messagesIn(project.find(`${folder}/en.json`) ?? '{}')
  const found = messagesIn(json)
  const lineOf = placesOf(json)
  const missing = [...expected.keys()].filter((key) => !found.has(key)).map((key) => [key, 'is missing'] as const)
  const wrong = [...found].flatMap(([key, message]) => {
    const model = expected.get(key)
    const faults = model === undefined ? ['is not in en.json'] : faultsOfMessage(message, model, language)
    if (shouts(key, message)) faults.push('shouts: write it without an exclamation mark')
    return faults.map((fault) => [key, fault] as const)
  })
  return [...missing, ...wrong].map(([key, fault]) => ({ file, line: lineOf(key), message: `${key} ${fault}` }))
}

function faultsOfMessage(message: Message, model: Message, language: string): string[] {
  const forms = formsOf(message)
  if (forms.some(([, text]) => text.trim() === '')) return ['is empty']
  return [
    ...faultsOfPlural(message, model, language),
    ...forms.flatMap(([form, text]) => faultsOfPlaceholders(form, text, model, language)),
    ...(isUntranslated(message, model, language) ? ['is not translated'] : []),
  ]
}

/** Some languages greet with an exclamation mark. */
const shouts = (key: string, message: Message): boolean =>
  !key.startsWith('greeting') && formsOf(message).some(([, text]) => text.includes('!'))

const formsOf = (message: Message): [form: string, text: string][] =>
  typeof message === 'string' ? [['other', message]] : Object.entries(message)

function faultsOfPlural(message: Message, model: Message, language: string): string[] {
  if (typeof model === 'string') return typeof message === 'string' ? [] : ['has plural forms; en.json has none']
  if (typeof message === 'string') return ['has no plural forms; en.json has some']
  const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted().join(', ')
  const has = Object.keys(message).sort().join(', ')
  return has === needed ? [] : [`has the plural forms ${has}; the language has ${needed}`]
}

function faultsOfPlaceholders(form: string, text: string, model: Message, language: string): string[] {
  const needed = placeholdersIn(formsOf(model).find(([name]) => name === 'other')?.[1] ?? '')
  const mayOmitCount = typeof model !== 'string' && isForOneNumber(form, language)
  const has = placeholdersIn(text)
  if (same(has, needed) || (mayOmitCount && same([...has, '{count}'], needed))) return []
  return [`has the placeholders ${has.join(' ') || 'none'}; en.json has ${needed.join(' ') || 'none'}`]
}

const placeholdersIn = (text: string): string[] => (text.match(/\{[^}]*\}/g) ?? []).toSorted()

const same = (some: readonly string[], others: readonly string[]): boolean =>
  some.toSorted().join(' ') === others.toSorted().join(' ')

/** Whether a form stands for a single whole number, as English "one" does: its text need not repeat the number. */
function isForOneNumber(form: string, language: string): boolean {
  const rules = new Intl.PluralRules(language)
  return Array.from({ length: 101 }, (_, number) => rules.select(number)).filter((each) => each === form).length === 1
}

/** Whether a text is the English one, and neither a few letters nor a word that the languages share. */
function isUntranslated(message: Message, model: Message, language: string): boolean {
  if (language === 'en' || JSON.stringify(message) !== JSON.stringify(model)) return false
  const text = formsOf(model).map(([, each]) => each)
  const letters = text.join(' ').replaceAll(/\{[^}]*\}|\P{L}/gu, '')
  return letters.length >= 3 && !text.every((each) => sameAsInEnglish[each]?.includes(language))
}

/** The messages of a file by their keys, such as `receipt.body.0`. */
function messagesIn(json: string): Map<string, Message> {
  const found = new Map<string, Message>()
  const walk = (value: unknown, key: string): void => {
    if (typeof value !== 'object' || value === null) found.set(key, String(value))
    else if (isPlural(value)) found.set(key, value)
    else for (const [name, member] of Object.entries(value)) walk(member, key === '' ? name : `${key}.${name}`)
  }
  walk(JSON.parse(json), '')
  return found
}

const categories = new Set(['zero', 'one', 'two', 'few', 'many', 'other'])

const isPlural = (value: object): value is Readonly<Record<string, string>> =>
  'other' in value && Object.entries(value).every(([key, text]) => categories.has(key) && typeof text === 'string')

/** What a file reads of texts. */
type Reader = {
  /** The members that it names. */
  readonly names: ReadonlySet<string>
  /** Groups of texts that it reads whole, such as `states` of `words.states[state]`. */
  readonly wholes: readonly string[]
}

/**
 * Texts of `en.json` that no file of the program reads: none names all members of the key, and none reads a group of it whole.
 */
function unusedIn(project: Project, folder: string): Finding[] {
  const readers = [...textsOf(project, (file) => readsFrom(folder, file))].map(([file, text]) => readerOf(file, text))
  const file = `${folder}/en.json`
  const json = project.find(file) ?? '{}'
  const lineOf = placesOf(json)
  const isExported = exportsOf(project, folder)
  return [...new Set([...messagesIn(json).keys()].map((key) => key.replace(/(?:\.\d+)+$/, '')))]
    .filter((key) => {
      const [group = '', ...members] = key.split('.')
      const keys = isExported(group) ? [key, members.join('.')] : [key]
      return !readers.some((reader) => keys.some((each) => reads(reader, each)))
    })
    .filter((key) => !isComputed(project, folder, key))
    .map((key) => ({
      file,
      line: lineOf(key),
      message: `${key} is not used; if code computes it, say so in ${tables}`,
    }))
}

const reads = ({ names, wholes }: Reader, key: string): boolean =>
  key.split('.').every((member) => names.has(member)) || wholes.some((whole) => `.${key}`.includes(`.${whole}.`))

/** Tells the groups that a file such as `products.texts.ts` exports one by one, as `productsWords`: pages do not name them. */
function exportsOf(project: Project, folder: string): (group: string) => boolean {
  const [room = ''] = folder.split('/locales')
  const exported = new Set(
    [...textsOf(project, (file) => file.startsWith(`${room}/`) && file.endsWith('.texts.ts'))].flatMap(([, text]) =>
      Array.from(text.matchAll(/^export const (\w+)Words\b/gm), ([, group = '']) => group),
    ),
  )
  return (group) => exported.has(group)
}

function readerOf(file: string, text: string): Reader {
  const { nodes } = syntaxOf(file, text)
  const names = new Set(nodes.flatMap(membersReadBy))
  const members = nodes.filter(({ type }) => type === 'MemberExpression')
  // A group that is spread is only passed on.
  const spread = nodes.filter(({ type }) => type === 'SpreadElement').map(({ argument }) => argument)
  const within = new Set([
    ...members.filter(({ computed }) => computed !== true).map(({ object }) => object),
    ...spread,
  ])
  const wholes = members.filter((each) => !within.has(each)).map((each) => groupNamedBy(each))
  const indexed = members.filter(({ computed }) => computed === true).map(({ object }) => groupNamedBy(object))
  return { names, wholes: [...new Set([...wholes, ...indexed])].filter(Boolean) }
}

/** `states.paid` of `words.states.paid`; empty for what is no member of texts. */
function groupNamedBy(node: unknown): string {
  if (!isNode(node) || node.type !== 'MemberExpression' || node.computed === true) return ''
  const { object, property } = node
  const name = nameOf(property) ?? ''
  if (isNode(object) && object.type === 'Identifier')
    return /^(?:words|texts|\w+Words)$/.test(nameOf(object) ?? '') ? name : ''
  const before = groupNamedBy(object)
  return before && (name === 'map' ? before : `${before}.${name}`)
}

const tables = 'scripts/rules/texts-tables.ts'

const web = 'apps/web/src/dashboard'

/** Components' texts are read by pages too, the dashboard's by its parts, and all in the folder that they belong to. */
function readsFrom(folder: string, file: string): boolean {
  const [room = ''] = folder.split('/locales')
  const isRead =
    file.startsWith(`${room}/`) ||
    (room === 'packages/react/src' && file.startsWith('apps/web/src/')) ||
    (room.startsWith(`${web}/`) && file.startsWith(`${web}/parts/`))
  return isRead && isTypeScript(file) && !isTest(file)
}

/**
 * Members that code may read: `texts.title`, `const { title } = texts`, an import of a group, and strings such as a group's or
 * a row's.
 */
function membersReadBy({ type, value, computed, property, properties, imported }: SyntaxNode): string[] {
  if (type === 'Literal') return typeof value === 'string' ? [value] : []
  if (type === 'ImportSpecifier') return groupsOf(nameOf(imported) ?? '')
  if (type === 'MemberExpression') return computed === true ? [] : [nameOf(property) ?? ''].filter(Boolean)
  if (type !== 'ObjectPattern' || !Array.isArray(properties)) return []
  return properties.flatMap((each) => (isNode(each) ? [nameOf(each.key) ?? ''] : [])).filter(Boolean)
}

/** The groups that an import may be: `webhook` is the group itself, and `webhookWords` the group with its functions. */
const groupsOf = (name: string): string[] => [name, name.replace(/Words$/, '')].filter(Boolean)

/** Whether a row of the table covers the key, and a file of the row names what the code computes. */
function isComputed(project: Project, folder: string, key: string): boolean {
  return computedKeys.some(({ folder: where, keys, named }) => {
    const [before = '', after = ''] = keys.split('*')
    if (where !== folder || !key.startsWith(before) || !key.endsWith(after)) return false
    const computed = key.slice(before.length, key.length - after.length)
    return named.some((file) => {
      const names = namesIn(project, file)
      return names.has(computed) || computed.split('.').every((member) => names.has(member))
    })
  })
}

/** The identifiers and strings of a file. */
function namesIn(project: Project, file: string): Set<unknown> {
  const { nodes } = syntaxOf(file, project.find(file) ?? '')
  return new Set(nodes.map(({ type, name, value }) => (type === 'Identifier' ? name : value)))
}
