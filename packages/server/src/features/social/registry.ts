import { isSocialProvider, socialProviders } from '@tollgate/contract/calls'
import type { GenericProviderOptions, ProviderOptions } from '../../foundation/config/config.ts'
import type { Context } from '../../foundation/context.ts'
import { genericRow } from './generic.ts'
import type { ProviderEndpoints, ProviderRow } from './protocol/provider.ts'
import { providerRows } from './providers.ts'

/** An enabled provider: its row, settings and addresses. */
export type Provider = {
  /** Its name in calls, callbacks and accounts. */
  readonly id: string
  readonly row: ProviderRow
  readonly options: ProviderOptions | GenericProviderOptions
  readonly endpoints: ProviderEndpoints
  /** Scopes requested at every sign-in. */
  readonly scopes: readonly string[]
}

/** The providers that people may choose from, in display order. */
export function listProviders(ctx: Context): { id: string; name: string }[] {
  const social = socialProviders.filter((id) => isOn(ctx.config.socialProviders[id]))
  return [
    ...social.map((id) => ({ id, name: providerRows[id].name })),
    ...ctx.config.genericOAuth.map(({ providerId, name }) => ({ id: providerId, name: name ?? providerId })),
  ]
}

/** Finds an enabled provider by its id. Throws a `ProviderFault` if its metadata must be read first and cannot be. */
export async function findProvider(ctx: Context, id: string): Promise<Provider | undefined> {
  if (isSocialProvider(id)) {
    const options = ctx.config.socialProviders[id]
    if (!isOn(options)) return undefined
    const row = providerRows[id]
    const own = typeof row.endpoints === 'function' ? row.endpoints(options) : row.endpoints
    return {
      id,
      row,
      options,
      endpoints: withOverrides(own, options),
      scopes: unique([...row.scopes, ...(options.scope ?? [])]),
    }
  }
  const options = ctx.config.genericOAuth.find(({ providerId }) => providerId === id)
  if (!options) return undefined
  const { row, endpoints } = await genericRow(ctx, options)
  return {
    id,
    row,
    options,
    endpoints: withOverrides(endpoints, options),
    scopes: unique([...row.scopes, ...(options.scope ?? [])]),
  }
}

/** Whether a provider is enabled; does not call it. */
export const isConfigured = (ctx: Context, id: string): boolean => listProviders(ctx).some((each) => each.id === id)

const isOn = (options: ProviderOptions | undefined): options is ProviderOptions =>
  options !== undefined && options.enabled !== false

/** The configuration's addresses win; the provider's apply where it has none. */
function withOverrides(own: ProviderEndpoints, { endpoints }: Pick<ProviderOptions, 'endpoints'>): ProviderEndpoints {
  const given = Object.entries(endpoints ?? {}).filter(([, address]) => address !== undefined)
  return { ...own, ...Object.fromEntries(given) }
}

export const unique = (values: readonly string[]): string[] => [...new Set(values)]
