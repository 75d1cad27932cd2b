import { checkoutCalls } from './checkout.calls.ts'
import { payLinkCalls } from './pay-link.calls.ts'
import { sandboxCalls } from './sandbox.calls.ts'
import { storefrontCalls } from './storefront.calls.ts'

/** The calls of the pages that buyers see, apart from those of sellers. */
export const buyerCalls = { ...checkoutCalls, ...payLinkCalls, ...sandboxCalls, ...storefrontCalls } as const
