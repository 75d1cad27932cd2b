import path from 'node:path'
import { packageName, type Resolved, resolvedImports } from './modules.ts'
import { type Finding, isTest, isTypeScript, type Project, type Rule } from './project.ts'

/** Keeps dependencies pointing one way, so that a change in one room cannot surprise another. */
export const imports: Rule = {
  name: 'imports',
  why: 'each room may import only the rooms below it (ARCHITECTURE.md, "Who may import whom")',
  check: (project) =>
    project.files
      .filter((file) => isTypeScript(file) && !isTest(file) && /^(packages|apps)\/[^/]+\/src\//.test(file))
      .flatMap((file) =>
        resolvedImports(project, file).flatMap((one): Finding[] => {
          const fault = faultOf(project, file, one)
          return fault === undefined ? [] : [{ file, line: one.line, message: `${one.specifier}: ${fault}` }]
        }),
      ),
}

/** What each package may take from our own: an entry, or a package for all its entries. Of `types` only types. */
const packages: Readonly<Record<string, { entries: readonly string[]; types: readonly string[] }>> = {
  'packages/contract': { entries: [], types: [] },
  'packages/client': {
    entries: ['@tollgate/contract/calls', '@tollgate/contract/billing'],
    types: ['@tollgate/contract'],
  },
  'packages/react': {
    entries: [
      '@tollgate/contract/calls',
      '@tollgate/contract/billing',
      '@tollgate/contract/brand',
      '@tollgate/contract/brand-tokens',
      '@tollgate/contract/events',
      '@tollgate/contract/forms',
      '@tollgate/contract/picture',
      '@tollgate/client',
    ],
    types: ['@tollgate/contract'],
  },
  'apps/web': {
    entries: [
      '@tollgate/contract/calls',
      '@tollgate/contract/billing',
      '@tollgate/contract/billing-schemas',
      '@tollgate/contract/brand',
      '@tollgate/contract/brand-tokens',
      '@tollgate/contract/events',
      '@tollgate/contract/forms',
      '@tollgate/contract/picture',
      '@tollgate/client',
      '@tollgate/react',
    ],
    types: ['@tollgate/contract'],
  },
  'packages/documents-fonts': { entries: [], types: [] },
  'packages/server': {
    entries: [
      '@tollgate/documents-fonts',
      '@tollgate/contract/calls',
      '@tollgate/contract/schemas',
      '@tollgate/contract/billing',
      '@tollgate/contract/billing-schemas',
      '@tollgate/contract/brand',
      '@tollgate/contract/brand-tokens',
      '@tollgate/contract/events',
      '@tollgate/contract/forms',
      '@tollgate/contract/picture',
    ],
    types: ['@tollgate/contract'],
  },
}

/** The packages that run in Node only. */
const onNode: ReadonlySet<string> = new Set(['packages/documents-fonts', 'packages/server'])

/**
 * The features from the ground up, each with its folders from the ground up; `.` is the feature's own folder. The folders of
 * a feature stand together, so no two features import each other: the lower one asks through a port of `Context`.
 */
const features: Readonly<Record<string, readonly string[]>> = {
  captcha: ['.'],
  pictures: ['.'],
  identity: ['.'],
  audit: ['.'],
  username: ['.'],
  social: ['protocol', 'providers', '.'],
  'magic-link': ['.'],
  jwt: ['.'],
  organization: ['.'],
  billing: [
    '.',
    // Pure calculations, which know no rows.
    'engine',
    'merchant',
    'seller',
    'attention',
    'payments',
    'catalog/files',
    'catalog',
    'customer',
    'tax',
    'discount',
    'order',
    'documents/locales',
    'documents/drawing',
    'documents',
    // What moves money, without checkouts: an order may begin with a renewal or a change as well.
    'posting',
    'settlement',
    'subscriptions',
    // No folder above this line knows checkouts.
    'checkout',
    'webhooks',
    'refund',
    // Every other folder of billing, `exports` for one: it may import all of the above, and no folder of billing imports it.
    '*',
  ],
  admin: ['.'],
}

/**
 * The rooms of the server from the ground up: folders below packages/server/src. A file imports from its own folder and from
 * folders before it in this list, types included. So no two folders import each other, and no circle exists.
 */
const rooms: readonly string[] = [
  // What everything stands on.
  'foundation/proof',
  'foundation/thread',
  'foundation/tax/locales',
  'foundation/tax',
  'foundation/config',
  'foundation/db/migrations',
  'foundation/db/tables',
  'foundation/db',
  'foundation',
  'foundation/mail/locales',
  'foundation/mail',
  'foundation/http',
  'foundation/db/transfer',
  ...Object.entries(features).flatMap(([feature, folders]) =>
    folders.map((folder) => path.posix.join('features', feature, folder)),
  ),
  // The APIs: which services answer each, and how its callers are known.
  'features',
  // The pages, the place that puts everything together, and what starts it.
  'pages',
  'pages/reference',
  'features/dev',
  'app',
  'cli',
  '.',
]

/** The place of a folder among the rooms. Folders that share a `*` share its place; -1 if it has none. */
function placeOf(folder: string): number {
  const named = rooms.indexOf(folder)
  return named === -1 ? rooms.indexOf(`${path.posix.dirname(folder)}/*`) : named
}

/** Files that a feature offers to others besides its services: rules and forms of answers, pure or nearly so. */
const offered = [
  /^features\/identity\/(access|profile-rules|username-rules|session-answer|session-cookies)\.ts$/,
  /^features\/organization\/(membership|answers)\.ts$/,
  /^features\/audit\//,
]

/** Kinds of files that may import less than their room. The first that holds a file decides; types are free here. */
const kinds: readonly { readonly name: string; readonly holds: RegExp; readonly imports: readonly RegExp[] }[] = [
  // The development pages serve developers; the rules below are for what runs in production.
  { name: 'dev', holds: /^features\/dev\//, imports: [/./] },
  // What every repository may take besides the database is pure: making ids and hashing tokens.
  {
    name: '*.repository.ts',
    holds: /\.repository\.ts$/,
    // Those of billing share how lists are read, and how states follow each other.
    imports: [
      /^foundation\/db\//,
      /^foundation\/(ids|token)\.ts$/,
      /^features\/billing\/(list\.repository|invalid|states|order\/invoice-number)\.ts$/,
      /^foundation\/proof\//,
    ],
  },
  {
    name: 'pages',
    holds: /^pages\//,
    imports: [
      /^foundation\/proof\//,
      /^(pages|foundation\/http|foundation\/config)\//,
      /^foundation\/([^/]+|mail\/(templates|mail\.jobs))\.ts$/,
      /\.service\.ts$/,
      /^features\/([^/]+-api|features)\.ts$/,
      ...offered,
    ],
  },
]

/** Which files of the server may take a database library. */
const databaseLibraries: Readonly<Record<string, RegExp>> = {
  pg: /^foundation\/db\//,
  'node:sqlite': /^foundation\/db\//,
  kysely: /^foundation\/(db\/|[^/]+\.ts$|http\/rate-limit\.ts$)|\.repository\.ts$|^app\//,
}

function faultOf(project: Project, file: string, one: Resolved): string | undefined {
  const home = file.split('/', 2).join('/')
  if (!one.specifier.startsWith('.')) return faultOfPackage(project, file, home, one)
  if (!one.target?.startsWith(`${home}/`)) return 'another package is reached by its name, not by a path'
  return home === 'packages/server' ? faultOfRoom(inServer(file), inServer(one.target), one) : undefined
}

const inServer = (file: string): string => file.slice('packages/server/src/'.length)

/** Files that put the server together. They may import any file below them. */
const composition = /^(app|cli)\/|^features\/[^/]+\.ts$|^[^/]+\.ts$/

/** Fixtures of pages, which development mode shows. They are loaded on demand, so that production holds none of them. */
const fixtures = { of: /^pages\/testing\//, shownBy: /^pages\// }

function faultOfRoom(file: string, target: string, { typeOnly, onDemand }: Resolved): string | undefined {
  if (fixtures.of.test(target) && fixtures.shownBy.test(file))
    return onDemand ? undefined : 'fixtures are loaded on demand, with import()'
  const [room, below] = [path.dirname(file), path.dirname(target)]
  const unknown = [room, below].find((each) => placeOf(each) === -1)
  if (unknown) return `${unknown} has no place among the rooms`
  if (placeOf(below) > placeOf(room)) return `${below} is above ${room}`
  if (placeOf(below) === placeOf(room) && below !== room)
    return `${below} is beside ${room}: name the lower one in the table`
  if (typeOnly || composition.test(file)) return undefined
  const [own, other] = [featureOf(file), featureOf(target)]
  if (other !== undefined && other !== own && own !== 'dev') {
    if (target.endsWith('.repository.ts')) return 'a repository belongs to its own feature; ask a service'
    if (!target.endsWith('.service.ts') && !offered.some((files) => files.test(target)))
      return `${other} offers its services`
  }
  const kind = kinds.find(({ holds }) => holds.test(file))
  return !kind || kind.imports.some((allowed) => allowed.test(target)) ? undefined : `not for ${kind.name}`
}

/** A feature is a folder of `features` with all below it. */
const featureOf = (file: string): string | undefined => /^features\/([^/]+)\//.exec(file)?.[1]

function faultOfPackage(project: Project, file: string, home: string, one: Resolved): string | undefined {
  const name = packageName(one.specifier)
  const rule = packages[home]
  if (rule && (name.startsWith('@tollgate/') || name === 'tollgate')) {
    if (rule.entries.includes(one.specifier) || rule.entries.includes(name)) return undefined
    return one.typeOnly && rule.types.includes(name) ? undefined : `not for ${home}`
  }
  if (home === 'packages/server') {
    const place = databaseLibraries[one.specifier]
    if (place && !one.typeOnly && !place.test(inServer(file)))
      return 'database libraries stay in db and the repositories'
  }
  if (one.specifier.startsWith('node:')) return onNode.has(home) ? undefined : 'no Node modules in a browser bundle'
  return isDeclared(project, home, name) ? undefined : `not among the dependencies in ${home}/package.json`
}

function isDeclared(project: Project, home: string, name: string): boolean {
  const manifest = JSON.parse(project.find(`${home}/package.json`) ?? '{}') as Record<string, Record<string, string>>
  return ['dependencies', 'peerDependencies'].some((list) => manifest[list]?.[name] !== undefined)
}
