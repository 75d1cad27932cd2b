import type { sandboxCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../seller/billing-routes.ts'
import { completeSandboxAction, createSandboxConfirmationToken, decideSandboxDispute } from './sandbox.service.ts'

/** Each call of the contract and the service that does it. */
export const sandboxRoutes: BillingRoutes<typeof sandboxCalls> = {
  createSandboxConfirmationToken: ({ ctx, body }) => createSandboxConfirmationToken(ctx, body),
  decideSandboxDispute: ({ ctx, seller, params, body }) => decideSandboxDispute(ctx, seller, params.id, body),
  completeSandboxAction: ({ ctx, params, body }) => completeSandboxAction(ctx, params.intentClientSecret, body),
}
