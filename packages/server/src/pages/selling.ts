import { organizationMaySell } from '../features/billing/merchant/may-sell.service.ts'
import { type Membership, permissionsOf } from '../features/organization/membership.ts'
import { isBillingServed } from '../foundation/config/config.ts'
import type { Context } from '../foundation/context.ts'

/**
 * The resources of selling. Members who only pay for the organization's own purchases have no use for the dashboard.
 */
const sold = ['product', 'customer', 'order', 'subscription', 'discount', 'benefit', 'meter', 'webhook', 'token']

/** Whether a member has any selling permission. */
export const sells = (permissions: Readonly<Record<string, readonly string[]>>): boolean =>
  sold.some((resource) => permissions[resource]?.length)

/** The URL of an organization's dashboard. */
export const dashboardOf = (slug: string): string => `/dashboard/${encodeURIComponent(slug)}`

/**
 * The dashboard link for a member, if the organization may sell and they have a selling permission. Before the approval
 * there is only the word that it waits.
 */
export async function dashboardFor(
  ctx: Context,
  organization: { readonly id: string; readonly slug: string },
  membership: Membership,
): Promise<{ dashboard?: string; waitsForApproval?: boolean; sandbox?: boolean }> {
  if (!isBillingServed(ctx.config) || !sells(permissionsOf(membership))) return {}
  if (!(await organizationMaySell(ctx, organization.id))) return { waitsForApproval: true, sandbox: isSandbox(ctx) }
  return { dashboard: dashboardOf(organization.slug), sandbox: isSandbox(ctx) }
}

/** Whether payments go to the sandbox: by default in development, elsewhere only if configured. */
export function isSandbox({ config }: Pick<Context, 'config'>): boolean {
  if (config.billing === false) return false
  return (config.billing.processors.sandbox ?? config.mode === 'development') !== false
}
