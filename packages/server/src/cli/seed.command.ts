import { firstAdminRole } from '../access.ts'
import type { Context } from '../context.ts'
import { TollgateError } from '../error.ts'
import { createCaller } from '../http/caller.ts'
import { createDemoUser } from '../identity/demo.service.ts'
import { newId } from '../ids.ts'
import { createDemoOrganization, type DemoOrganization } from '../organization/demo.service.ts'
import { type Command, readOptions, UsageError } from './command.ts'
import { demoOrganizations, demoPeople } from './demo.ts'
import { withContext } from './with-context.ts'

export const seed: Command = {
  name: 'seed',
  usage: '[--json]',
  summary:
    'Makes demo people with verified addresses and organizations of theirs, and prints the passwords; what exists already is left alone.',
  run: async (words) => {
    const { values } = readOptions(words, { json: { type: 'boolean' } })
    const made = await withContext(async (ctx) => {
      if (ctx.config.mode === 'production')
        throw new UsageError('Demo people are for development: nobody seeds a production database by mistake')
      return { users: await seedPeople(ctx), organizations: await seedOrganizations(ctx) }
    })
    if (values.json) console.log(JSON.stringify(made))
    else for (const line of toLines(made)) console.log(line)
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

function toLines({ users, organizations }: { users: Credentials[]; organizations: DemoOrganization[] }): string[] {
  if (users.length === 0 && organizations.length === 0) return ['The demo people and organizations are there already.']
  const people = users.map(({ email, password, role }) => `${email.padEnd(22)} ${password}  (${role})`)
  return [...people, ...organizations.flatMap(toOrganizationLines)]
}

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
