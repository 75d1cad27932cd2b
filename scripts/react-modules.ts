import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Plugin } from 'vite'

const require = createRequire(import.meta.url)
const fileOf = (name: string, file: string) =>
  path.join(path.dirname(require.resolve(`${name}/package.json`)), 'cjs', `${file}.production.js`)

type Source = {
  readonly file: string
  /** What others look for in it and only a build for tests has: there it is a function, here nothing. */
  readonly absent?: readonly string[]
}

const sources: Readonly<Record<string, Source>> = {
  react: { file: fileOf('react', 'react') },
  'react/jsx-runtime': { file: fileOf('react', 'react-jsx-runtime') },
  'react-dom': { file: fileOf('react-dom', 'react-dom') },
  'react-dom/client': { file: fileOf('react-dom', 'react-dom-client') },
  scheduler: { file: fileOf('scheduler', 'scheduler'), absent: ['log', 'unstable_setDisableYieldValue'] },
}

/**
 * Reads React as ES modules, which it is not published as: of those the bundler leaves out whatever no page calls, of
 * CommonJS it can leave out nothing. For builds in which every page gets along with React's production build.
 */
export const reactModules: Plugin = {
  name: 'react-modules',
  enforce: 'pre',
  resolveId: (id) => sources[id]?.file,
  load(id) {
    const source = Object.values(sources).find(({ file }) => file === id)
    return source && { code: asModule(readFileSync(id, 'utf8'), source.absent), moduleSideEffects: false }
  },
}

/** All of a file's `require`, as React's builds have them: one declaration, at the top level. */
const required = /^var \w+ = require\("[\w-]+"\)(?:,\s+\w+ = require\("[\w-]+"\))*;/m

/**
 * The ES module for a CommonJS file that requires in one declaration and assigns each export at the top level first. Throws
 * when it does more than that, as React may one day.
 */
export function asModule(code: string, absent: readonly string[] = []): string {
  const names = new Set([...code.matchAll(/\bexports\.(\w+)/g)].map(([, name = '']) => name))
  const imports = [...(required.exec(code)?.[0] ?? '').matchAll(/(\w+) = require\(("[\w-]+")\)/g)]
  const body = code
    .replace(required, '')
    .replace(/^exports\.(\w+) =/gm, 'var export_$1 =')
    .replace(/\bexports\.(\w+)/g, 'export_$1')

  const undeclared = [...names].filter((name) => !body.includes(`\nvar export_${name} =`))
  if (undeclared.length > 0 || /\b(?:require|exports|module)\b *[.[(=]/.test(body))
    throw new Error(`This is not the CommonJS that React used to be: ${undeclared}`)

  return [
    ...imports.map(([, name, from]) => `import * as ${name} from ${from}`),
    body,
    ...[...names].map((name) => `export { export_${name} as ${name} }`),
    ...absent.map((name) => `export const ${name} = undefined`),
  ].join('\n')
}
