import type { BillingCall } from './call.ts'

/** The stand-in for a payment processor (interface, section 6): the part of a real one's browser script. */
export const sandboxCalls = {
  createSandboxConfirmationToken: {
    method: 'POST',
    path: '/sandbox/confirmation-tokens',
    auth: 'none',
    status: 201,
    limit: 'payment',
  },
  decideSandboxDispute: {
    method: 'POST',
    path: '/disputes/:id/sandbox-decision',
    auth: 'seller',
    scope: 'refunds:write',
    approved: false,
    onceByKey: true,
  },
  completeSandboxAction: {
    method: 'POST',
    path: '/sandbox/actions/:intentClientSecret',
    auth: 'secret',
    secrets: ['intentClientSecret'],
    onceByKey: true,
  },
} as const satisfies Record<string, BillingCall>
