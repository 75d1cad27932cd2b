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
  /** Exports that it is read without, so that a build in which something imports them fails. */
  readonly hidden?: readonly string[]
  /** Functions that have nothing to do while nothing uses their feature: read as empty ones. */
  readonly idle?: readonly string[]
  /** Where the use of a feature would begin: read as functions that throw. */
  readonly refused?: readonly string[]
}

/** The React in which the functions below were looked through: in another one, look again at who calls them. */
const lookedThrough = '19.3.1'

/** What animates `<ViewTransition>`; without an element of that kind none of it changes anything. */
const viewTransitions = [
  'applyViewTransitionToHostInstances',
  'commitAfterMutationEffectsOnFiber',
  'commitExitViewTransitions',
  'commitNestedViewTransitions',
  'createViewTransitionInstance',
  'getViewTransitionClassName',
  'getViewTransitionName',
  'restoreEnterOrExitViewTransitions',
  'restoreNestedViewTransitions',
  'restoreViewTransitionOnHostInstances',
  'scheduleViewTransitionEvent',
  'startViewTransition',
  'trackEnterViewTransitions',
]

/** What keeps the `ref` of a `<Fragment>` up to date; only called with what `FragmentInstance` has made. */
const fragmentRefs = ['addFragmentHandleToFiber', 'commitNewChildToFragmentInstance', 'deleteChildFromFragmentInstance']

const sources: Readonly<Record<string, Source>> = {
  react: { file: fileOf('react', 'react'), hidden: ['ViewTransition'] },
  'react/jsx-runtime': { file: fileOf('react', 'react-jsx-runtime') },
  'react-dom': { file: fileOf('react-dom', 'react-dom') },
  'react-dom/client': {
    file: fileOf('react-dom', 'react-dom-client'),
    idle: [...viewTransitions, ...fragmentRefs],
    refused: ['FragmentInstance'],
  },
  scheduler: { file: fileOf('scheduler', 'scheduler'), absent: ['log', 'unstable_setDisableYieldValue'] },
}

/**
 * Reads React as ES modules, which it is not published as: of those the bundler leaves out whatever no page calls, of
 * CommonJS it can leave out nothing. Reads it without two features besides, which weigh as much as all that the sign-in page
 * says to its server. For builds in which every page gets along with React's production build.
 */
export const reactModules: Plugin = {
  name: 'react-modules',
  enforce: 'pre',
  resolveId: (id) => sources[id]?.file,
  load(id) {
    const source = Object.values(sources).find(({ file }) => file === id)
    if (!source) return undefined
    const code = readFileSync(id, 'utf8')
    if (source.idle && !code.includes(`exports.version = "${lookedThrough}"`))
      throw new Error(`${id} is not React ${lookedThrough}: see lookedThrough in scripts/react-modules.ts`)
    return { code: asModule(code, source), moduleSideEffects: false }
  },
}

/** All of a file's `require`, as React's builds have them: one declaration, at the top level. */
const required = /^var \w+ = require\("[\w-]+"\)(?:,\s+\w+ = require\("[\w-]+"\))*;/m

/**
 * The ES module for a CommonJS file that requires in one declaration and assigns each export at the top level first. Throws
 * when it does more than that, or has not what it is to be read without, as React may one day.
 */
export function asModule(code: string, parts: Omit<Source, 'file'> = {}): string {
  const { absent = [], hidden = [], idle = [], refused = [] } = parts
  const names = new Set([...code.matchAll(/\bexports\.(\w+)/g)].map(([, name = '']) => name))
  const imports = [...(required.exec(code)?.[0] ?? '').matchAll(/(\w+) = require\(("[\w-]+")\)/g)]
  let body = code
    .replace(required, '')
    .replace(/^exports\.(\w+) =/gm, 'var export_$1 =')
    .replace(/\bexports\.(\w+)/g, 'export_$1')
  for (const name of idle) body = withBody(body, name, '')
  for (const name of refused)
    body = withBody(body, name, ` throw Error("${name} is left out (scripts/react-modules.ts)") `)

  const undeclared = [...names].filter((name) => !body.includes(`\nvar export_${name} =`))
  const missing = hidden.filter((name) => !names.has(name))
  if (undeclared.length > 0 || missing.length > 0 || /\b(?:require|exports|module)\b *[.[(=]/.test(body))
    throw new Error(`This is not the CommonJS that React used to be: ${[...undeclared, ...missing]}`)

  return [
    ...imports.map(([, name, from]) => `import * as ${name} from ${from}`),
    body,
    ...[...names].filter((name) => !hidden.includes(name)).map((name) => `export { export_${name} as ${name} }`),
    ...absent.map((name) => `export const ${name} = undefined`),
  ].join('\n')
}

/** The code with another body for one function of the top level, and without its methods. */
function withBody(code: string, name: string, body: string): string {
  const whole = new RegExp(`^function ${name}\\([\\s\\S]*?^}$`, 'm')
  if (!whole.test(code)) throw new Error(`This is not the React that had a function ${name}`)
  return code
    .replace(whole, () => `function ${name}() {${body}}`)
    .replace(new RegExp(`^${name}\\.prototype\\.\\w+ = [\\s\\S]*?^};$`, 'gm'), '')
}
