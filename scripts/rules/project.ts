import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** One place that breaks a rule. */
export type Finding = { readonly file: string; readonly line: number; readonly message: string }

/** A property of the whole repository that a machine checks. */
export type Rule = {
  readonly name: string
  /** What the rule is good for, shown above its findings. */
  readonly why: string
  check(project: Project): Finding[] | Promise<Finding[]>
}

/** The repository as the rules see it: paths from its root, with `/` on every system. */
export type Project = {
  /** Everything written by us; nothing installed or built. */
  readonly files: readonly string[]
  /** The text of a file, which need not be among `files`; null when there is none. */
  find(file: string): string | null
}

/** The files of a rule's concern with their texts. */
export function* textsOf(
  project: Project,
  concern: (file: string) => boolean,
): Generator<[file: string, text: string]> {
  for (const file of project.files.filter(concern)) yield [file, project.find(file) ?? '']
}

/** Folders that hold nothing written by us. */
const made = new Set(['node_modules', 'dist', 'release', 'data', '.git', '.cache'])

/** The repository in a folder. */
export function projectOnDisk(root: string): Project {
  const walk = (folder: string): string[] =>
    readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const place = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) return made.has(entry.name) ? [] : walk(place)
      return entry.isFile() ? [place] : []
    })
  return {
    files: walk('').sort(),
    find: (file) => {
      const full = path.join(root, file)
      return existsSync(full) ? readFileSync(full, 'utf8') : null
    },
  }
}

/** A repository that exists only in a test: texts by path. */
export function projectOf(texts: Readonly<Record<string, string>>): Project {
  const ours = Object.keys(texts).filter((file) => !file.split('/').some((part) => made.has(part)))
  return { files: ours, find: (file) => texts[file] ?? null }
}

/** Whether a file holds TypeScript. */
export const isTypeScript = (file: string): boolean => /\.tsx?$/.test(file)

/** Whether a file holds tests, or stands in a folder `testing`: what only tests and development take. */
export const isTest = (file: string): boolean => /\.test\.tsx?$|\/src\/.+\/testing\//.test(file)
