import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { storable } from '../fields.ts'
import { byId, writeErrors } from './fields.ts'
import type { sandboxCalls } from './sandbox.calls.ts'

const refusals = [
  'RESOURCE_NOT_FOUND',
  'REQUEST_INVALID',
  'MALFORMED_JSON',
  'JSON_TOO_DEEP',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'INVALID_ORIGIN',
] as const

/** Bodies, answers and refusals of the sandbox (interface, section 6). */
export const sandboxSchemas = {
  createSandboxConfirmationToken: {
    summary: 'Creates a confirmation token from a test card; any other number is refused.',
    body: z.object({ number: storable(64), expiry: storable(16), cvc: storable(8) }),
    output: z.object({ id: z.string() }),
    errors: refusals,
  },
  decideSandboxDispute: {
    summary: 'Decides a dispute of a test payment in place of the bank; a decision is final.',
    params: byId,
    body: z.object({ outcome: z.enum(['won', 'lost']) }),
    output: z.object({ status: z.enum(['won', 'lost']) }),
    errors: writeErrors,
  },
  completeSandboxAction: {
    summary: 'Answers the sandbox’s 3-D Secure step as the buyer.',
    params: z.object({ intentClientSecret: storable(128) }),
    body: z.object({ outcome: z.enum(['succeed', 'fail']) }),
    output: z.object({ status: z.enum(['succeeded', 'failed']) }),
    errors: refusals,
  },
} as const satisfies Record<keyof typeof sandboxCalls, Endpoint>
