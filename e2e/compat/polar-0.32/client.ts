/** The client of the billing wire that checks every answer, 0.32.16, with the zod 3 that it needs. */
export { Polar } from '@polar-sh/sdk'
export { validateEvent } from '@polar-sh/sdk/webhooks'
