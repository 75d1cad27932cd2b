import { type Finding, isTypeScript, type Rule, textsOf } from './project.ts'
import { syntaxOf } from './syntax.ts'

/** Words that stand where a plain sentence names its subject (CONTRIBUTING.md, "Plain English"). */
const translated =
  /\b(who(m)?ever|whatsoever|somebody|nobody|what is (told|asked|given|made|said)|is told|are told|by now|for nothing|of whom)\b/i

const prose = /^(README|CONTRIBUTING|SECURITY|CHANGELOG|ARCHITECTURE)\.md$|^(docs|examples|bench)\/.*\.md$/
/** They name the words to avoid. */
const lists = new Set(['CONTRIBUTING.md', 'docs/glossary.md'])
/** Texts of pages, mails and fixtures: their words are the product's, not the house's. */
const words = /\/(locales|i18n)\/|fixtures?[^/]*\.tsx?$/

/** Comments and documents say who does what. */
export const plainEnglish: Rule = {
  name: 'plain English',
  why: 'a comment names its subject, or its reader has to guess who acts (CONTRIBUTING.md, "Plain English")',
  check: (project) => [
    ...[...textsOf(project, (file) => prose.test(file) && !lists.has(file))].flatMap(([file, text]) =>
      findingsIn(file, text, 1),
    ),
    ...[...textsOf(project, (file) => isTypeScript(file) && !words.test(file))].flatMap(([file, text]) => {
      const syntax = syntaxOf(file, text)
      return syntax.comments.flatMap(({ value, line }) => findingsIn(file, value, line))
    }),
  ],
}

function findingsIn(file: string, text: string, first: number): Finding[] {
  return text.split('\n').flatMap((line, at) => {
    // Code spans keep their own words, such as the Unix user `nobody`.
    const [found] = translated.exec(line.replace(/`[^`]*`/g, '')) ?? []
    return found === undefined ? [] : [{ file, line: first + at, message: `"${found}": name the subject` }]
  })
}
