import { buyerCalls } from '@tollgate/contract/billing'
import type { BillingClient, BillingClientCallName, BillingClientOptions } from './billing-client.ts'
import { clientOf } from './client-of.ts'

/** The part of the billing client that pages for buyers use: a page that has only these calls is smaller. */
export type BuyerClient = Pick<BillingClient, BuyerCallName>

type BuyerCallName = Extract<keyof typeof buyerCalls, BillingClientCallName>

/** Creates a client for the calls of buyers: checkouts, pay links, pricing pages and the sandbox. */
export const createBuyerClient = (options: BillingClientOptions = {}): BuyerClient =>
  clientOf<BuyerCallName>(buyerCalls, options)
