import type { sandboxCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../../http/billing-route.ts'
import { completeSandboxAction, createSandboxConfirmationToken } from './sandbox.service.ts'

/** Each call of the contract and the service that does it. */
export const sandboxRoutes: BillingRoutes<typeof sandboxCalls> = {
  createSandboxConfirmationToken: ({ ctx, body }) => createSandboxConfirmationToken(ctx, body),
  completeSandboxAction: ({ ctx, params, body }) => completeSandboxAction(ctx, params.intentClientSecret, body),
}
