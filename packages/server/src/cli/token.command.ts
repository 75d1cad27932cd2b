import { isScope, type Scope, scopes } from '@tollgate/contract/billing'
import { createTokenFor } from '../billing/seller/access-token.service.ts'
import { organizationMaySell } from '../billing/seller/seller.service.ts'
import { type Command, readOptions, UsageError } from './command.ts'
import { withContext } from './with-context.ts'

const options = {
  organization: { type: 'string' },
  scope: { type: 'string', multiple: true },
  json: { type: 'boolean' },
} as const

export const tokenCreate: Command = {
  name: 'token create',
  usage: '--organization SLUG [--scope S …] [--json]',
  summary: 'Makes an access token of an organization, of every scope where none is named, and prints it once.',
  run: async (words) => {
    const { organization: slug, scope, json } = readOptions(words, options).values
    if (!slug) throw new UsageError('--organization is wanted: the slug of the one that the token is for')
    const given = scope?.flatMap((each) => each.split(',')) ?? scopes
    const unknown = given.filter((each) => !isScope(each))
    if (unknown.length > 0) throw new UsageError(`No such scope: ${unknown.join(', ')}. There are ${scopes.join(', ')}`)
    const made = await withContext(async (ctx) => {
      if (ctx.config.organization === false || ctx.config.billing === false)
        throw new UsageError('Billing is switched off')
      const token = await createTokenFor(ctx, slug, given as Scope[]) // looked at just now
      if (!token) throw new UsageError('No organization has the slug that --organization names')
      return { ...token, maySell: await organizationMaySell(ctx, token.organizationId) }
    })
    if (json) console.log(JSON.stringify({ token: made.token }))
    else {
      console.log(made.token)
      console.error('It is shown this once; whoever has it acts for the organization.')
      if (!made.maySell) console.error('The organization may not sell yet: until it may, most calls are refused.')
    }
    return 0
  },
}
