import { createAdminByEmail } from '../features/identity/first-admin.service.ts'
import { normalizeEmail } from '../features/identity/profile-rules.ts'
import { type Command, readOptions, UsageError } from './command.ts'
import { withContext } from './with-context.ts'

export const adminCreate: Command = {
  name: 'admin create',
  usage: '--email E [--json]',
  summary: 'Makes the user with this address an administrator, or creates one and prints a one-time link.',
  run: async (words) => {
    const { values } = readOptions(words, { email: { type: 'string' }, json: { type: 'boolean' } })
    const email = normalizeEmail(values.email ?? '')
    if (email === null) throw new UsageError('--email needs an email address')
    const { created, link } = await withContext((ctx) => createAdminByEmail(ctx, email))
    if (values.json) console.log(JSON.stringify({ email, created, link }))
    else if (link) console.log(`${email} is an administrator. Choose a password here (works once):\n  ${link}`)
    else console.log(`${email} is now an administrator.`)
  },
}
