import { buyerCalls } from '@tollgate/contract/billing'
import type { BillingClient, BillingClientCallName, BillingClientOptions } from './billing-client.ts'
import { billingMethods } from './billing-methods.ts'

/** The part of the billing client that pages for buyers use: a page that has only these calls is smaller. */
export type BuyerClient = Pick<BillingClient, Extract<keyof typeof buyerCalls, BillingClientCallName>>

/** Creates a client for the calls of buyers: checkouts, pay links, pricing pages and the sandbox. */
export const createBuyerClient = (options: BillingClientOptions = {}): BuyerClient =>
  billingMethods(buyerCalls, options) as unknown as BuyerClient // one method per call of the table
