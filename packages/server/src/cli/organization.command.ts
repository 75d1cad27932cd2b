import { setSelling } from '../billing/seller/approval.service.ts'
import { TollgateError } from '../error.ts'
import { normalizeEmail } from '../identity/profile-rules.ts'
import { createOrganizationFor } from '../organization/creation.service.ts'
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
  summary: 'Creates an organization that the user with this address owns; with --sell it may sell.',
  run: async (words) => {
    const { name, slug, owner, sell, json } = readOptions(words, options).values
    if (!name || !slug || !owner) throw new UsageError('--name, --slug and --owner are wanted')
    const email = normalizeEmail(owner)
    if (email === null) throw new UsageError('--owner wants an e-mail address')

    const organization = await withContext((ctx) => {
      if (ctx.config.organization === false) throw new UsageError('Organizations are switched off')
      if (sell && ctx.config.billing === false) throw new UsageError('Billing is switched off')
      return createOrganizationFor(ctx, { name, slug, email }, async (tx, organizationId) => {
        if (sell) await setSelling(ctx, tx, { organizationId, maySell: true, actorId: null })
      })
    }).catch((cause) => {
      throw cause instanceof TollgateError ? new UsageError(sentences[cause.error] ?? cause.message, { cause }) : cause
    })
    if (json) console.log(JSON.stringify(organization))
    else
      console.log(
        `${organization.name} (${organization.slug}) is there, and ${email} owns it.${sell ? ' It may sell.' : ''}`,
      )
    return 0
  },
}

/** Refusals that say less to whoever types a command than to a program. */
const sentences: Partial<Record<TollgateError['error'], string>> = {
  USER_NOT_FOUND: 'Nobody has the address that --owner names',
  INVALID_NAME: '--name wants 1 to 100 characters, and no control characters',
  INVALID_SLUG: '--slug wants 2 to 64 of a–z, 0–9, - and _, and none of the names of our own pages',
  ORGANIZATION_ALREADY_EXISTS: 'Another organization has this slug',
}
