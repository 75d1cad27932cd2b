import { firstAdminRole } from '../access.ts'
import type { Context } from '../context.ts'
import { TollgateError } from '../error.ts'
import { createCaller } from '../http/caller.ts'
import { createDemoUser } from '../identity/demo.service.ts'
import { newId } from '../ids.ts'
import { createDemoOrganization, type DemoOrganization } from '../organization/demo.service.ts'
import { shownAddress } from '../shown-address.ts'
import { type Command, readOptions, UsageError } from './command.ts'
import { demoOrganizations, demoPeople } from './demo.ts'
import { type SeededShop, seedShop } from './seed-shop.ts'
import { withContext } from './with-context.ts'

export const seed: Command = {
  name: 'seed',
  usage: '[--json]',
  summary:
    'Makes demo people with verified addresses, organizations of theirs and a shop with a year of orders, and prints what opens them; what exists already is left alone.',
  run: async (words) => {
    const { values } = readOptions(words, { json: { type: 'boolean' } })
    const { made, place } = await withContext(async (ctx) => {
      if (ctx.config.mode === 'production')
        throw new UsageError('Demo people are for development: nobody seeds a production database by mistake')
      const made: Made = {
        users: await seedPeople(ctx),
        organizations: await seedOrganizations(ctx),
        shop: (await seedShop(ctx, demoOrganizations[0]!.slug)) ?? null,
      }
      return { made, place: { database: shownAddress(ctx.config.databaseUrl), server: ctx.config.baseURL.origin } }
    })
    if (values.json) console.log(JSON.stringify(made))
    else for (const line of toLines(made, place)) console.log(line)
    return 0
  },
}

type Credentials = { readonly email: string; readonly password: string; readonly role: string }

async function seedPeople(ctx: Context): Promise<Credentials[]> {
  const made: Credentials[] = []
  for (const { name, email, administers } of demoPeople) {
    const password = newId().slice(0, 16)
    const role = administers ? firstAdminRole(ctx.config) : null
    if (await createDemoUser(ctx, { name, email, role, password }))
      made.push({ email, password, role: role ?? ctx.config.admin.defaultRole })
  }
  return made
}

/** None where organizations are off; a limit of the configuration that forbids them is told as what it is. */
async function seedOrganizations(ctx: Context): Promise<DemoOrganization[]> {
  const { organization: config } = ctx.config
  if (config === false) return []
  const caller = createCaller(ctx, new Headers(), '', true)
  const made: DemoOrganization[] = []
  for (const one of demoOrganizations) {
    const demo = config.teams.enabled ? one : { ...one, teams: {} }
    try {
      if (await createDemoOrganization(ctx, caller, demo)) made.push(demo)
    } catch (cause) {
      if (cause instanceof TollgateError) throw new UsageError(`${demo.name}: ${cause.message}`, { cause })
      throw cause
    }
  }
  return made
}

type Made = { users: Credentials[]; organizations: DemoOrganization[]; shop: SeededShop | null }

/** Where all of it was written, and the server that the addresses are of: another terminal may be set otherwise. */
type Place = { readonly database: string; readonly server: string }

function toLines({ users, organizations, shop }: Made, { database, server }: Place): string[] {
  if (users.length === 0 && organizations.length === 0 && !shop)
    return ['The demo people, organizations and shop are there already.']
  const people = users.map(({ email, password, role }) => `${email.padEnd(22)} ${password}  (${role})`)
  return [
    ...people,
    ...organizations.flatMap(toOrganizationLines),
    ...(shop ? toShopLines(shop) : []),
    '',
    `Written to ${database}. The addresses are those of ${server}; where yours is another, set BASE_URL.`,
  ]
}

const toShopLines = ({ pricing, checkout, dashboard, token }: SeededShop): string[] => [
  '',
  `The shop of ${demoOrganizations[0]!.name} (pay with 4242 4242 4242 4242, any date to come, any three digits)`,
  `  Pricing       ${pricing}`,
  `  Checkout      ${checkout}`,
  `  Dashboard     ${dashboard}`,
  `  Access token  ${token}`,
]

function toOrganizationLines({ name, slug, owner, members, teams, invitations }: DemoOrganization): string[] {
  const row = (email: string, role: string) => `  ${email.padEnd(22)} ${role}`
  const names = Object.keys(teams)
  return [
    '',
    `${name}  /org/${slug}`,
    row(owner, 'owner'),
    ...members.map(({ email, role }) => row(email, role)),
    ...invitations.map(({ email, role }) => row(email, `${role} (invited)`)),
    ...(names.length > 0 ? [`  teams: ${names.join(', ')}`] : []),
  ]
}
