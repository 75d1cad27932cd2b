import { organizationMaySell } from '../billing/seller/seller.service.ts'
import type { Context } from '../context.ts'
import { isBillingServed } from '../http/billing-dispatch.ts'
import { type Membership, permissionsOf } from '../membership.ts'

/** The resources of what is sold; whoever only pays for what is bought has no use for the dashboard. */
const sold = ['product', 'customer', 'order', 'subscription', 'discount', 'benefit', 'meter', 'webhook', 'token']

/** Whether somebody may do anything with what an organization sells. */
export const sells = (permissions: Readonly<Record<string, readonly string[]>>): boolean =>
  sold.some((resource) => permissions[resource]?.length)

/** Where an organization sells: its dashboard. */
export const dashboardOf = (slug: string): string => `/dashboard/${encodeURIComponent(slug)}`

/**
 * The dashboard that the pages of an organization lead a member to: that of one that may sell, for whoever may do something
 * there.
 */
export async function dashboardFor(
  ctx: Context,
  organization: { readonly id: string; readonly slug: string },
  membership: Membership,
): Promise<{ dashboard?: string }> {
  if (!isBillingServed(ctx.config) || !sells(permissionsOf(membership))) return {}
  return (await organizationMaySell(ctx, organization.id)) ? { dashboard: dashboardOf(organization.slug) } : {}
}
