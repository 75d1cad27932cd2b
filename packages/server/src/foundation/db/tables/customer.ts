import { processorNames } from '@tollgate/contract/billing-schemas'
import type { Address } from '@tollgate/contract/billing-types'
import { defaulted, flag, id, integer, json, nullable, oneOf, text, time, timestamps } from './columns.ts'
import type { Metadata } from './metadata.ts'

export const customerTables = {
  customer: {
    id: id('customer'),
    organizationId: id('organization'),
    /** As entered; comparisons use `emailKey`. */
    email: text(),
    emailKey: text(),
    /**
     * The normalized address, for customers identified by it alone. Empty for customers made from an account or
     * organization of this server: a person and the organization they buy for may share an address.
     */
    soleEmailKey: nullable(text()),
    emailVerified: flag(),
    name: nullable(text()),
    externalId: nullable(text()),
    billingName: nullable(text()),
    billingAddress: nullable(json<Address>()),
    /** The number and its kind. */
    taxId: nullable(json<[number: string, format: string]>()),
    /** The account or the buying organization on this server; never both. */
    userId: nullable(id('user')),
    buyerOrganizationId: nullable(id('organization')),
    metadata: json<Metadata>(),
    deletedAt: nullable(time()),
    ...timestamps,
  },
  customerSession: {
    id: id('customerSession'),
    organizationId: id('organization'),
    customerId: id('customer'),
    tokenHash: text(),
    /** For a buyer who typed a new customer's address without proof; it ends with that customer's next purchase. */
    isUnproven: flag(),
    expiresAt: time(),
    createdAt: time(),
  },
  paymentMethod: {
    id: id('paymentMethod'),
    organizationId: id('organization'),
    customerId: id('customer'),
    processor: oneOf(processorNames),
    /** The processor's id for it: useless without the processor's key, so stored as it is. It survives every SECRET. */
    processorReference: text(),
    /** SHA-256 of the same, so that each card is stored once. */
    referenceHash: text(),
    /** The key of its card's trial (`trialRedemption`), the same for every buyer who pays with it; null if unknown. */
    fingerprintHash: nullable(text()),
    type: text(),
    brand: text(),
    lastFour: text(),
    expMonth: integer(),
    expYear: integer(),
    isDefault: flag(),
    /** The last mail about its expiry: 1 before it, 2 after it; 0: none yet. */
    expiryNotice: defaulted(integer()),
    deletedAt: nullable(time()),
    ...timestamps,
  },
} as const
