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
    entries: ['@tollgate/contract/calls', '@tollgate/contract/billing', '@tollgate/client'],
    types: ['@tollgate/contract'],
  },
  'apps/web': {
    entries: ['@tollgate/contract/calls', '@tollgate/contract/billing', '@tollgate/client', '@tollgate/react'],
    types: ['@tollgate/contract'],
  },
  'packages/server': {
    entries: [
      '@tollgate/contract/calls',
      '@tollgate/contract/schemas',
      '@tollgate/contract/billing',
      '@tollgate/contract/billing-schemas',
    ],
    types: ['@tollgate/contract'],
  },
}

type Room = { readonly name: string; readonly holds: RegExp; readonly imports: readonly RegExp[] }

const top = /^[^/]+\.ts$/
const mailing = /^mail\/(templates|mail\.jobs)\.ts$/
const contracts = [/^db\//, top, /^http\/(route|billing-route|cookies)\.ts$/, mailing]

/** A domain takes its own files, what every domain may take, and the named files of others. */
const domain = (name: string, ...others: RegExp[]): Room => ({
  name,
  holds: new RegExp(`^${name}/`),
  imports: [new RegExp(`^${name}/`), ...contracts, ...others],
})

/** Services, and what is pure beside them: the rules of a profile, how sessions stand in answers and cookies. */
const identityServices = /^identity\/([^/]+\.service|profile-rules|session-answer|session-cookies)\.ts$/
/** Services, and how organizations stand in answers. */
const organizationServices = /^organization\/([^/]+\.service|answers)\.ts$/
const billingFunctions = /^billing\/(entitlements|seats|seller\/approval\.service)\.ts$/

/** Rooms of the server, paths below packages/server/src; the first that holds a file decides. Types are free here. */
const rooms: readonly Room[] = [
  // What every repository may take besides the database is pure: making ids and hashing tokens.
  {
    name: '*.repository.ts',
    holds: /\.repository\.ts$/,
    // Those of billing share how lists are read, and how states follow each other.
    imports: [/^db\//, /^(ids|token)\.ts$/, /^billing\/(list\.repository|invalid|states)\.ts$/],
  },
  // The development pages are wiring for developers; the rules below are for what runs in production.
  { name: 'dev', holds: /^dev\//, imports: [/./] },
  { name: 'pages', holds: /^pages\//, imports: [/^pages\//, /^http\//, top, mailing, /\.service\.ts$/] },
  { name: '*.routes.ts', holds: /\.routes\.ts$/, imports: [/^http\/(billing-)?route\.ts$/, /\.service\.ts$/] },
  { name: 'db', holds: /^db\//, imports: [/^db\//, top] },
  { name: 'mail', holds: /^mail\//, imports: [/^mail\//, /^db\//, top] },
  {
    name: 'http',
    holds: /^http\//,
    // Besides the tables of routes: who asks, and the answers that are given without going through a table.
    imports: [
      /^http\//,
      /^db\//,
      top,
      mailing,
      /\.routes\.ts$/,
      /^identity\/session(\.service|-answer)\.ts$/,
      /^(captcha\/captcha|jwt\/jwt|organization\/permission|billing\/seller\/seller)\.service\.ts$/,
    ],
  },
  domain('identity', /^username\/rules\.ts$/, /^organization\/(deletion|invitation-proof)\.ts$/, billingFunctions),
  domain('username', identityServices),
  domain('social', identityServices),
  domain('magic-link', identityServices),
  domain('jwt', identityServices),
  domain('captcha'),
  domain('organization', identityServices, billingFunctions),
  domain(
    'admin',
    identityServices,
    organizationServices,
    billingFunctions,
    /^social\/accounts\.service\.ts$/,
    /^username\/rules\.ts$/,
  ),
  domain('billing', identityServices, organizationServices),
]

/** Which files of the server may take a database library. */
const databaseLibraries: Readonly<Record<string, RegExp>> = {
  pg: /^db\//,
  'node:sqlite': /^db\//,
  kysely: /^db\/|\.repository\.ts$|^[^/]+\.ts$|^http\/rate-limit\.ts$/,
}

function faultOf(project: Project, file: string, one: Resolved): string | undefined {
  const home = file.split('/', 2).join('/')
  if (!one.specifier.startsWith('.')) return faultOfPackage(project, file, home, one)
  if (!one.target?.startsWith(`${home}/`)) return 'another package is reached by its name, not by a path'
  return home === 'packages/server' && !one.typeOnly ? faultOfRoom(inServer(file), inServer(one.target)) : undefined
}

const inServer = (file: string): string => file.slice('packages/server/src/'.length)

/** Puts the server together at start, and so may ask any domain what it needs to know for that. */
const composition = /^(server|testing)\.ts$|^cli\//

function faultOfRoom(file: string, target: string): string | undefined {
  if (composition.test(file)) return undefined
  // A domain is a folder of the server with all below it.
  const sameDomain = file.split('/', 1)[0] === target.split('/', 1)[0]
  if (target.endsWith('.repository.ts') && !sameDomain && !file.startsWith('db/')) {
    return 'a repository belongs to its own domain; ask a service'
  }
  if (/^(?!dev\/|pages\/).*\.routes\.ts$/.test(file) && target.endsWith('.service.ts') && !sameDomain)
    return 'routes call services of their own domain'
  const room = rooms.find(({ holds }) => holds.test(file))
  if (!room || room.imports.some((allowed) => allowed.test(target))) return undefined
  return `not for ${room.name}`
}

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
  if (one.specifier.startsWith('node:'))
    return home === 'packages/server' ? undefined : 'no Node modules in a browser bundle'
  return isDeclared(project, home, name) ? undefined : `not among the dependencies in ${home}/package.json`
}

function isDeclared(project: Project, home: string, name: string): boolean {
  const manifest = JSON.parse(project.find(`${home}/package.json`) ?? '{}') as Record<string, Record<string, string>>
  return ['dependencies', 'peerDependencies'].some((list) => manifest[list]?.[name] !== undefined)
}
