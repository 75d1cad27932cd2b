import type { processorCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../seller/billing-routes.ts'
import { listProcessors, receiveStripeEvent } from './processor.service.ts'

/** Each call of the contract and the service that does it. */
export const processorRoutes: BillingRoutes<typeof processorCalls> = {
  listProcessors: ({ ctx }) => listProcessors(ctx),
  receiveStripeEvent: ({ ctx, file, caller }) => receiveStripeEvent(ctx, file, caller.headers),
}
