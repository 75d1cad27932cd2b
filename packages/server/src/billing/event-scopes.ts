import type { Scope } from '@tollgate/contract/billing'
import type { Seller } from './seller/seller.service.ts'

/** What the type of an event of billing begins with, and the scope by which its object is read. */
const scopes: Readonly<Record<string, Scope>> = {
  checkout: 'checkouts:read',
  customer: 'customers:read',
  order: 'orders:read',
  subscription: 'subscriptions:read',
  refund: 'refunds:read',
  dispute: 'refunds:read',
  product: 'products:read',
  benefit: 'benefits:read',
  benefit_grant: 'benefits:read',
  organization: 'organizations:read',
}

/** Whether somebody could read what an event of billing tells of by another call, too. */
export function readsObjectOf({ holds }: Pick<Seller, 'holds'>, type: string): boolean {
  const scope = scopes[type.split('.')[0]!]
  return scope !== undefined && holds(scope)
}
