import type { BillingCall } from './call.ts'

/** The stand-in of a payment processor (interface, section 6): what a real one's own script would do in the browser. */
export const sandboxCalls = {
  createSandboxConfirmationToken: {
    method: 'POST',
    path: '/sandbox/confirmation-tokens',
    auth: 'none',
    status: 201,
  },
  decideSandboxDispute: {
    method: 'POST',
    path: '/disputes/:id/sandbox-decision',
    auth: 'seller',
    scope: 'refunds:write',
  },
  completeSandboxAction: { method: 'POST', path: '/sandbox/actions/:intentClientSecret', auth: 'secret' },
} as const satisfies Record<string, BillingCall>
