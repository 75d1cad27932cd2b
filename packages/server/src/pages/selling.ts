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

/** The dashboard link for a member, if the organization may sell and they have a selling permission. */
export async function dashboardFor(
  ctx: Context,
  organization: { readonly id: string; readonly slug: string },
  membership: Membership,
): Promise<{ dashboard?: string }> {
  if (!isBillingServed(ctx.config) || !sells(permissionsOf(membership))) return {}
  return (await organizationMaySell(ctx, organization.id)) ? { dashboard: dashboardOf(organization.slug) } : {}
}
