import { lineOf, placeOf } from './lock-places.ts'
import type { Finding, Rule } from './project.ts'

const file = 'package-lock.json'

type Locked = { readonly version?: string; readonly optionalDependencies?: Readonly<Record<string, string>> }

/** `npm ci` must work everywhere, with every npm, from every registry. */
export const lock: Rule = {
  name: 'lock file',
  why: 'npm ci refuses a lock file with holes, and one with download addresses works only where those can be reached',
  check: (project) => {
    const text = project.find(file)
    if (text === null) return [{ file, line: 1, message: 'there is none' }]
    const { packages } = JSON.parse(text) as { packages: Readonly<Record<string, Locked>> }
    return [...addresses(text), ...holes(packages, text)]
  },
}

function addresses(text: string): Finding[] {
  return text.split('\n').flatMap((content, index) => {
    if (!/"resolved": "(?:https?|git)/.test(content)) return []
    return [{ file, line: index + 1, message: `${content.trim()} (.npmrc has omit-lockfile-registry-resolved=true)` }]
  })
}

/** A platform package that is not published at the version asked for is silently left out by `npm install`. */
function holes(packages: Readonly<Record<string, Locked>>, text: string): Finding[] {
  return Object.entries(packages).flatMap(([place, { version = '', optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => placeOf(packages, place, name) === undefined)
      .map((name) => ({
        file,
        line: lineOf(text, place),
        message: `${place || 'the root'}${version && `@${version}`} wants ${name}, which is not in the lock: take another version`,
      })),
  )
}
