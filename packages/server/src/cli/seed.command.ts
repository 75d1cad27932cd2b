import { firstAdminRole } from '../access.ts'
import { createDemoUser } from '../identity/demo.service.ts'
import { newId } from '../ids.ts'
import { type Command, readOptions, UsageError } from './command.ts'
import { withContext } from './with-context.ts'

/** People to try things with. */
const people = [
  { name: 'Ada Lovelace', email: 'ada@example.com', administers: true },
  { name: 'Grace Hopper', email: 'grace@example.com', administers: false },
  { name: 'Alan Turing', email: 'alan@example.com', administers: false },
] as const

export const seed: Command = {
  name: 'seed',
  usage: '[--json]',
  summary:
    'Makes demo people with verified addresses and prints their passwords; those that exist already are left alone.',
  run: async (words) => {
    const { values } = readOptions(words, { json: { type: 'boolean' } })
    const made = await withContext(async (ctx) => {
      if (ctx.config.mode === 'production')
        throw new UsageError('Demo people are for development: nobody seeds a production database by mistake')
      const credentials: { email: string; password: string; role: string }[] = []
      for (const { name, email, administers } of people) {
        const password = newId().slice(0, 16)
        const role = administers ? firstAdminRole(ctx.config) : null
        if (await createDemoUser(ctx, { name, email, role, password }))
          credentials.push({ email, password, role: role ?? ctx.config.admin.defaultRole })
      }
      return credentials
    })
    if (values.json) console.log(JSON.stringify({ users: made }))
    else if (made.length === 0) console.log('The demo people are there already.')
    else for (const { email, password, role } of made) console.log(`${email.padEnd(20)} ${password}  (${role})`)
    return 0
  },
}
