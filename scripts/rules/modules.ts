import path from 'node:path'
import type { Project } from './project.ts'
import { type Import, importsOf } from './syntax.ts'

/** An import with the file of ours that it leads to; null when it leads to a package or to no file. */
export type Resolved = Import & { readonly target: string | null }

/** A file's imports with the files they mean. */
export function resolvedImports(project: Project, file: string): Resolved[] {
  const text = project.find(file)
  if (text === null) return []
  return importsOf(file, text).map((one) => ({ ...one, target: resolve(project, file, one.specifier) }))
}

function resolve(project: Project, from: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(from), specifier)
  const name = packageName(specifier)
  const folder = workspaces(project).get(name)
  if (folder === undefined) return null
  const manifest = JSON.parse(project.find(`${folder}/package.json`) ?? '{}') as { exports?: Record<string, unknown> }
  const target = exportedFile(manifest.exports ?? {}, `.${specifier.slice(name.length)}`)
  return target === undefined ? null : path.posix.join(folder, target)
}

/** The file behind an entry; `./locales/*` stands for every entry that begins and ends like it. */
function exportedFile(exports: Record<string, unknown>, entry: string): string | undefined {
  for (const [pattern, target] of Object.entries(exports)) {
    if (typeof target !== 'string') continue
    if (pattern === entry) return target
    const [before = '', after] = pattern.split('*')
    if (after === undefined || !entry.startsWith(before) || !entry.endsWith(after)) continue
    return target.replace('*', entry.slice(before.length, entry.length - after.length))
  }
  return undefined
}

/** `@scope/name` or `name` of an import that is not a path. */
export function packageName(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

/** The folders of our own packages by name. */
function workspaces(project: Project): Map<string, string> {
  const found = new Map<string, string>()
  for (const file of project.files) {
    if (!/^(packages|apps)\/[^/]+\/package\.json$/.test(file)) continue
    const { name } = JSON.parse(project.find(file) ?? '{}') as { name?: string }
    if (name !== undefined) found.set(name, path.posix.dirname(file))
  }
  return found
}
