import { setSelling } from '../features/billing/merchant/approval.service.ts'
import { normalizeEmail } from '../features/identity/profile-rules.ts'
import { createOrganizationFor } from '../features/organization/creation.service.ts'
import { TollgateError } from '../foundation/error.ts'
import { type Command, readOptions, UsageError } from './command.ts'
import { withContext } from './with-context.ts'

const options = {
  name: { type: 'string' },
  slug: { type: 'string' },
  owner: { type: 'string' },
  sell: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

export const organizationCreate: Command = {
  name: 'organization create',
  usage: '--name N --slug S --owner E [--sell] [--json]',
  summary: 'Creates an organization for the user with this address; --sell approves it to sell.',
  run: async (words) => {
    const { name, slug, owner, sell, json } = readOptions(words, options).values
    if (!name || !slug || !owner) throw new UsageError('--name, --slug and --owner are required')
    const email = normalizeEmail(owner)
    if (email === null) throw new UsageError('--owner needs an email address')

    const organization = await withContext((ctx) => {
      if (ctx.config.organization === false) throw new UsageError('Organizations are off in the configuration')
      if (sell && ctx.config.billing === false) throw new UsageError('Billing is off in the configuration')
      return createOrganizationFor(ctx, { name, slug, email }, async (tx, organizationId) => {
        if (sell) await setSelling(ctx, tx, { organizationId, maySell: true, actorId: null })
      })
    }).catch((cause) => {
      throw cause instanceof TollgateError ? new UsageError(sentences[cause.error] ?? cause.message, { cause }) : cause
    })
    if (json) console.log(JSON.stringify(organization))
    else
      console.log(
        `Created ${organization.name} (${organization.slug}), owned by ${email}.${sell ? ' It can sell.' : ''}`,
      )
  },
}

/** Command-line texts for refusals whose message suits programs only. */
const sentences: Partial<Record<TollgateError['error'], string>> = {
  USER_NOT_FOUND: 'No user has the address in --owner',
  INVALID_NAME: '--name needs 1 to 100 characters, without control characters',
  INVALID_SLUG: '--slug needs 2 to 64 of a–z, 0–9, - and _, and no reserved name',
  ORGANIZATION_ALREADY_EXISTS: 'Another organization has this slug',
}
