import { isScope, type Scope, scopes } from '@tollgate/contract/billing'
import { organizationMaySell } from '../features/billing/merchant/may-sell.service.ts'
import { createTokenFor } from '../features/billing/seller/access-token.service.ts'
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
  summary: 'Creates an access token of an organization, with all scopes by default, and prints it once.',
  run: async (words) => {
    const { organization: slug, scope, json } = readOptions(words, options).values
    if (!slug) throw new UsageError('--organization is required: the slug of the token’s organization')
    const given = scope?.flatMap((each) => each.split(',')) ?? scopes
    const unknown = given.filter((each) => !isScope(each))
    if (unknown.length > 0)
      throw new UsageError(`Unknown scope: ${unknown.join(', ')}. Known scopes: ${scopes.join(', ')}`)
    const made = await withContext(async (ctx) => {
      if (ctx.config.organization === false || ctx.config.billing === false)
        throw new UsageError('Billing is off in the configuration')
      const token = await createTokenFor(ctx, slug, given as Scope[]) // checked above
      if (!token) throw new UsageError('No organization has the slug in --organization')
      return { ...token, maySell: await organizationMaySell(ctx, token.organizationId) }
    })
    if (json) console.log(JSON.stringify({ token: made.token }))
    else {
      console.log(made.token)
      console.error('The token is shown only once. Anyone who has it can act for the organization.')
      if (!made.maySell) console.error('The organization can’t sell yet, so most calls are refused.')
    }
  },
}
