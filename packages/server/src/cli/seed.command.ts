import { firstAdminRole } from '../features/identity/access.ts'
import { createDemoUser } from '../features/identity/demo.service.ts'
import { createDemoOrganization, type DemoOrganization } from '../features/organization/demo.service.ts'
import { shownAddress } from '../foundation/config/shown-address.ts'
import type { Context } from '../foundation/context.ts'
import { TollgateError } from '../foundation/error.ts'
import { createCaller } from '../foundation/http/caller.ts'
import { newId } from '../foundation/ids.ts'
import { firstOf } from '../foundation/proof/proven.ts'
import { type Command, readOptions, UsageError } from './command.ts'
import { demoOrganizations, demoPeople } from './demo.ts'
import { type SeededShop, seedShop } from './seed-shop.ts'
import { withContext } from './with-context.ts'

export const seed: Command = {
  name: 'seed',
  usage: '[--json]',
  summary:
    'Creates demo users, their organizations and a shop with a year of orders, and prints their credentials. Leaves existing data alone.',
  run: async (words) => {
    const { values } = readOptions(words, { json: { type: 'boolean' } })
    const { made, place } = await withContext(async (ctx) => {
      if (ctx.config.mode === 'production') throw new UsageError('Demo data is for development mode only')
      const made: Made = {
        users: await seedPeople(ctx),
        organizations: await seedOrganizations(ctx),
        shop: (await seedShop(ctx, firstOf(demoOrganizations, 'there are demo organizations').slug)) ?? null,
      }
      return { made, place: { database: shownAddress(ctx.config.databaseUrl), server: ctx.config.baseURL.origin } }
    })
    if (values.json) console.log(JSON.stringify(made))
    else for (const line of toLines(made, place)) console.log(line)
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

/** Empty where organizations are off; a configured limit that forbids them is an error. */
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

/** The database written to, and the server of the addresses: another terminal may have other settings. */
type Place = { readonly database: string; readonly server: string }

function toLines({ users, organizations, shop }: Made, { database, server }: Place): string[] {
  if (users.length === 0 && organizations.length === 0 && !shop) return ['The demo data already exists.']
  const people = users.map(({ email, password, role }) => `${email.padEnd(22)} ${password}  (${role})`)
  return [
    ...people,
    ...organizations.flatMap(toOrganizationLines),
    ...(shop ? toShopLines(shop) : []),
    '',
    `Written to ${database}. The addresses are for ${server}; set PORT or BASE_URL if your server has another one.`,
  ]
}

const toShopLines = ({ pricing, checkout, dashboard, token }: SeededShop): string[] => [
  '',
  `The shop of ${firstOf(demoOrganizations, 'there are demo organizations').name} (pay with 4242 4242 4242 4242, any future date, any three digits)`,
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
