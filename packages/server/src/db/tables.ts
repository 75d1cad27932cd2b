import type { ColumnType } from 'kysely'

/**
 * Every table and the kind of each column, listed once. The TypeScript types and the codec between rows and values are
 * derived from this list; the migrations make the same tables. A column name has one kind in every table, so that a
 * result row can be decoded by its names alone (`codec.ts` refuses to start otherwise).
 *
 * Kinds: `text`, `text?` (nullable), `time`, `time?`, `flag`, `integer`, `integer?`, `json`, `json?`.
 */
export const tables = {
  user: {
    id: 'text',
    email: 'text',
    emailVerified: 'flag',
    name: 'text',
    image: 'text?',
    username: 'text?',
    displayUsername: 'text?',
    role: 'text?',
    banned: 'flag',
    banReason: 'text?',
    banExpires: 'time?',
    createdAt: 'time',
    updatedAt: 'time',
  },
  account: {
    id: 'text',
    providerId: 'text',
    accountId: 'text',
    userId: 'text',
    accessToken: 'text?',
    refreshToken: 'text?',
    idToken: 'text?',
    accessTokenExpiresAt: 'time?',
    refreshTokenExpiresAt: 'time?',
    scope: 'text?',
    /** What vk calls the browser that signed in: its tokens are refreshed for that one only. */
    deviceId: 'text?',
    password: 'text?',
    createdAt: 'time',
    updatedAt: 'time',
  },
  session: {
    id: 'text',
    userId: 'text',
    token: 'text',
    expiresAt: 'time',
    ipAddress: 'text',
    userAgent: 'text?',
    activeOrganizationId: 'text?',
    activeTeamId: 'text?',
    impersonatedBy: 'text?',
    /** Why an administrator acts as this user. */
    impersonationReason: 'text?',
    /** The administrator's own session that this one was begun in, and ends with. */
    impersonatedFrom: 'text?',
    /** It ends when it was first said to: that of a person who shall not be remembered, or of an impersonator. */
    neverExtended: 'flag',
    /** When the person last proved who they are; freshness counts from here. */
    authenticatedAt: 'time',
    createdAt: 'time',
    updatedAt: 'time',
  },
  /** One-time proofs: reset, verification, deletion. `identifier` names the purpose and the hash of the secret. */
  verification: {
    id: 'text',
    identifier: 'text',
    /** Whose it is: a user's id, or nothing where there is no user yet. */
    value: 'text',
    /** What belongs to it besides, sealed: where to go on, what to check. */
    content: 'text?',
    expiresAt: 'time',
    createdAt: 'time',
    updatedAt: 'time',
  },
  /** What was mailed to sign in with: one link with its code per mailbox, so that a new one ends the one before. */
  magicLink: {
    /** SHA-256 of the address. */
    mailbox: 'text',
    tokenHash: 'text',
    /** Keyed: six digits would be found out from a plain hash. */
    codeHash: 'text',
    /** How often a code has been tried. */
    tries: 'integer',
    /** Whom it signs in, sealed. */
    content: 'text',
    expiresAt: 'time',
    createdAt: 'time',
  },
  /** Keys that sign tokens for other services; the private half is sealed. */
  jwks: {
    id: 'text',
    publicKey: 'text',
    privateKey: 'text',
    createdAt: 'time',
    /** Set when another key has taken over: until then it is still published. */
    retiresAt: 'time?',
  },
  organization: {
    id: 'text',
    name: 'text',
    slug: 'text',
    logo: 'text?',
    metadata: 'json?',
    /** Only members with a verified address may act in it. */
    requireVerifiedEmail: 'flag',
    createdAt: 'time',
    updatedAt: 'time',
  },
  member: {
    id: 'text',
    organizationId: 'text',
    userId: 'text',
    /** Roles with commas between them (specification, section 3). */
    role: 'text',
    createdAt: 'time',
  },
  /** Roles that organizations made for themselves; those of the configuration are in no table. */
  organizationRole: {
    id: 'text',
    organizationId: 'text',
    role: 'text',
    permission: 'json',
    createdAt: 'time',
    updatedAt: 'time',
  },
  team: {
    id: 'text',
    organizationId: 'text',
    name: 'text',
    createdAt: 'time',
    updatedAt: 'time?',
  },
  /** Who is in which team; ends with the membership (foreign key). */
  teamMember: {
    id: 'text',
    teamId: 'text',
    memberId: 'text',
    userId: 'text',
    createdAt: 'time',
  },
  invitation: {
    id: 'text',
    organizationId: 'text',
    email: 'text',
    role: 'text',
    status: 'text',
    /** The teams that the invited person will be in, with commas between them. */
    teamId: 'text?',
    inviterId: 'text',
    /** SHA-256 of the secret in the mail, which proves the address. */
    proofHash: 'text?',
    expiresAt: 'time',
    createdAt: 'time',
  },
  /** Links to share; the secret is kept sealed, so that the link can be shown again. */
  invitationLink: {
    id: 'text',
    organizationId: 'text',
    tokenHash: 'text',
    sealedToken: 'text',
    role: 'text',
    teamId: 'text?',
    maxUses: 'integer?',
    uses: 'integer',
    /** Domains with commas between them; none: all. */
    emailDomains: 'text?',
    requiresApproval: 'flag',
    creatorId: 'text',
    revokedAt: 'time?',
    expiresAt: 'time?',
    createdAt: 'time',
  },
  joinRequest: {
    id: 'text',
    organizationId: 'text',
    userId: 'text',
    role: 'text',
    teamId: 'text?',
    /** The link that led here; none: the domain of the address did. */
    linkId: 'text?',
    status: 'text',
    decidedBy: 'text?',
    decidedAt: 'time?',
    createdAt: 'time',
  },
  organizationDomain: {
    id: 'text',
    organizationId: 'text',
    domain: 'text',
    /** What the TXT record says; no secret. */
    proof: 'text',
    joinMode: 'text',
    verifiedAt: 'time?',
    createdAt: 'time',
  },
  // Billing. Every table leads its indexes with the selling organization, so that it can be distributed by it.
  /** An organization as a seller, beside its own row; made when it first touches billing. */
  merchant: {
    organizationId: 'text',
    /** Since when it may sell; never: it asks for the operator's approval. */
    approvedAt: 'time?',
    contactEmail: 'text?',
    website: 'text?',
    socials: 'json',
    details: 'json?',
    detailsSubmittedAt: 'time?',
    featureSettings: 'json',
    subscriptionSettings: 'json',
    /** How many orders there are: the next one's invoice has this number plus one (ORD-7). */
    ordersCount: 'integer',
    invoicePrefix: 'text',
    /** The same of credit notes. */
    creditNotesCount: 'integer',
    /** Where it collects tax, and who it is at law; none: the installation's. */
    taxSettings: 'json?',
    createdAt: 'time',
    modifiedAt: 'time?',
  },
  organizationAccessToken: {
    id: 'text',
    organizationId: 'text',
    comment: 'text',
    tokenHash: 'text',
    lastFour: 'text',
    scopes: 'json',
    creatorId: 'text?',
    expiresAt: 'time?',
    lastUsedAt: 'time?',
    createdAt: 'time',
    modifiedAt: 'time?',
  },
  product: {
    id: 'text',
    organizationId: 'text',
    name: 'text',
    description: 'text?',
    /** None: sold once. */
    recurringInterval: 'text?',
    isArchived: 'flag',
    /** Sold without tax wherever the buyer is. */
    isTaxExempt: 'flag',
    metadata: 'json',
    createdAt: 'time',
    modifiedAt: 'time?',
  },
  productPrice: {
    id: 'text',
    organizationId: 'text',
    productId: 'text',
    amountType: 'text',
    priceCurrency: 'text?',
    priceAmount: 'integer?',
    minimumAmount: 'integer?',
    maximumAmount: 'integer?',
    presetAmount: 'integer?',
    /** A decimal text, with up to 12 places: of a minor unit. */
    unitAmount: 'text?',
    capAmount: 'integer?',
    meterId: 'text?',
    isArchived: 'flag',
    position: 'integer',
    createdAt: 'time',
    modifiedAt: 'time?',
  },
  meter: {
    id: 'text',
    organizationId: 'text',
    name: 'text',
    filter: 'json',
    aggregation: 'json',
    metadata: 'json',
    createdAt: 'time',
    modifiedAt: 'time?',
  },
  file: {
    id: 'text',
    organizationId: 'text',
    name: 'text',
    /** Where the bytes are, below the store's root. */
    path: 'text',
    mimeType: 'text',
    size: 'integer',
    service: 'text',
    /** The parts that were announced. */
    parts: 'json',
    /** The origin of its public address: that of the installation, and it moves with it. */
    publicOrigin: 'text',
    checksumEtag: 'text?',
    checksumSha256Base64: 'text?',
    checksumSha256Hex: 'text?',
    version: 'text?',
    isUploaded: 'flag',
    lastModifiedAt: 'time?',
    deletedAt: 'time?',
    createdAt: 'time',
    modifiedAt: 'time?',
  },
  productMedia: {
    productId: 'text',
    fileId: 'text',
    position: 'integer',
  },
  customField: {
    id: 'text',
    organizationId: 'text',
    type: 'text',
    slug: 'text',
    /** Its slug before, while stored answers still have that one; nobody else's until then. */
    renamedFrom: 'text?',
    name: 'text',
    properties: 'json',
    metadata: 'json',
    deletedAt: 'time?',
    createdAt: 'time',
    modifiedAt: 'time?',
  },
  productCustomField: {
    productId: 'text',
    customFieldId: 'text',
    position: 'integer',
    required: 'flag',
  },
  customer: {
    id: 'text',
    organizationId: 'text',
    /** As it was given; `emailKey` is what it is compared by. */
    email: 'text',
    emailKey: 'text',
    /**
     * The same, of whoever has the address for themselves. Empty for those who were made as an account or an organization of
     * this server: a person, and an organization that they buy for, may have one address.
     */
    soleEmailKey: 'text?',
    emailVerified: 'flag',
    name: 'text?',
    externalId: 'text?',
    billingName: 'text?',
    billingAddress: 'json?',
    /** The number and its kind. */
    taxId: 'json?',
    /** Who it is on this server: an account, or a buying organization; not both. */
    userId: 'text?',
    buyerOrganizationId: 'text?',
    metadata: 'json',
    deletedAt: 'time?',
    createdAt: 'time',
    modifiedAt: 'time?',
  },
  customerSession: {
    id: 'text',
    organizationId: 'text',
    customerId: 'text',
    tokenHash: 'text',
    /** Of whoever typed a new customer's address, and has proven nothing: it ends with the next purchase of that customer. */
    isUnproven: 'flag',
    expiresAt: 'time',
    createdAt: 'time',
  },
  paymentMethod: {
    id: 'text',
    organizationId: 'text',
    customerId: 'text',
    processor: 'text',
    /** What the processor knows it by; sealed, because it can be charged. */
    processorReference: 'text',
    /** SHA-256 of the same, so that one card is kept once. */
    referenceHash: 'text',
    type: 'text',
    brand: 'text',
    lastFour: 'text',
    expMonth: 'integer',
    expYear: 'integer',
    isDefault: 'flag',
    deletedAt: 'time?',
    createdAt: 'time',
    modifiedAt: 'time?',
  },
  discount: {
    id: 'text',
    organizationId: 'text',
    name: 'text',
    code: 'text?',
    /** The code in lower case: what it is looked up by. */
    codeKey: 'text?',
    type: 'text',
    duration: 'text',
    durationInMonths: 'integer?',
    amount: 'integer?',
    currency: 'text?',
    basisPoints: 'integer?',
    startsAt: 'time?',
    endsAt: 'time?',
    maxRedemptions: 'integer?',
    maxRedemptionsPerCustomer: 'integer?',
    redemptionsCount: 'integer',
    metadata: 'json',
    deletedAt: 'time?',
    createdAt: 'time',
    modifiedAt: 'time?',
  },
  discountProduct: {
    discountId: 'text',
    productId: 'text',
  },
  /** One for each confirmed checkout; counted on the discount in the same statement's transaction. */
  discountRedemption: {
    id: 'text',
    organizationId: 'text',
    discountId: 'text',
    checkoutId: 'text',
    /** Whom it counts for (DIS-9): the customer, and the address that was typed without its `+tag`, as SHA-256. */
    customerId: 'text',
    buyerKey: 'text',
    createdAt: 'time',
  },
  checkout: {
    id: 'text',
    organizationId: 'text',
    clientSecretHash: 'text',
    /** The secret sealed, because the seller may ask for the address again. */
    sealedClientSecret: 'text',
    status: 'text',
    processor: 'text',
    processorMetadata: 'json',
    expiresAt: 'time',
    successUrl: 'text?',
    returnUrl: 'text?',
    embedOrigin: 'text?',
    productId: 'text',
    productPriceId: 'text',
    /** Everything that its buyer pays for, usage included, as it was when the product was chosen: a list of ids. */
    priceIds: 'json',
    amount: 'integer',
    discountAmount: 'integer',
    netAmount: 'integer',
    taxAmount: 'integer?',
    /** How the tax came about: `SaleTax` of the contract. */
    tax: 'json?',
    totalAmount: 'integer',
    currency: 'text',
    discountId: 'text?',
    allowDiscountCodes: 'flag',
    requireBillingAddress: 'flag',
    isBusinessCustomer: 'flag',
    customerId: 'text?',
    customerName: 'text?',
    customerEmail: 'text?',
    customerExternalId: 'text?',
    customerIpAddress: 'text?',
    customerBillingName: 'text?',
    customerBillingAddress: 'json?',
    customerTaxId: 'text?',
    customerMetadata: 'json',
    userId: 'text?',
    buyerOrganizationId: 'text?',
    /** Whether whoever confirmed it was known to be the customer: named by the seller, or signed in as them. */
    isBuyerKnown: 'flag',
    subscriptionId: 'text?',
    checkoutLinkId: 'text?',
    /** Of one that a visitor has begun: when it is removed with its events, unless it was confirmed. */
    forgetAt: 'time?',
    customFieldData: 'json',
    metadata: 'json',
    /** The language in which its buyer has confirmed it: that of the receipt they are mailed. */
    buyerLocale: 'text?',
    confirmedAt: 'time?',
    createdAt: 'time',
    modifiedAt: 'time?',
  },
  checkoutProduct: {
    checkoutId: 'text',
    productId: 'text',
    position: 'integer',
  },
  checkoutLink: {
    id: 'text',
    organizationId: 'text',
    /** Published with the link, so it stands in the clear. */
    clientSecret: 'text',
    label: 'text?',
    successUrl: 'text?',
    returnUrl: 'text?',
    allowDiscountCodes: 'flag',
    requireBillingAddress: 'flag',
    discountId: 'text?',
    metadata: 'json',
    deletedAt: 'time?',
    createdAt: 'time',
    modifiedAt: 'time?',
  },
  checkoutLinkProduct: {
    checkoutLinkId: 'text',
    productId: 'text',
    position: 'integer',
  },
  subscription: {
    id: 'text',
    organizationId: 'text',
    status: 'text',
    amount: 'integer',
    currency: 'text',
    recurringInterval: 'text',
    /** Periods begin on this day of the month, or on its last one (SUB-2). */
    anchorDay: 'integer',
    currentPeriodStart: 'time',
    currentPeriodEnd: 'time?',
    cancelAtPeriodEnd: 'flag',
    canceledAt: 'time?',
    startedAt: 'time?',
    endsAt: 'time?',
    endedAt: 'time?',
    trialStart: 'time?',
    trialEnd: 'time?',
    pastDueAt: 'time?',
    customerId: 'text',
    productId: 'text',
    discountId: 'text?',
    /** When the discount first took something off: what its months count from (SUB-11). */
    discountAppliedAt: 'time?',
    checkoutId: 'text?',
    paymentMethodId: 'text?',
    customerCancellationReason: 'text?',
    customerCancellationComment: 'text?',
    customFieldData: 'json',
    metadata: 'json',
    createdAt: 'time',
    modifiedAt: 'time?',
  },
  /** The prices at subscription time, kept until the product changes (SUB-4). */
  subscriptionPrice: {
    subscriptionId: 'text',
    productPriceId: 'text',
    position: 'integer',
  },
  order: {
    id: 'text',
    organizationId: 'text',
    status: 'text',
    billingReason: 'text',
    subtotalAmount: 'integer',
    discountAmount: 'integer',
    netAmount: 'integer',
    taxAmount: 'integer',
    tax: 'json?',
    totalAmount: 'integer',
    appliedBalanceAmount: 'integer',
    refundedAmount: 'integer',
    refundedTaxAmount: 'integer',
    currency: 'text',
    customerId: 'text',
    productId: 'text',
    discountId: 'text?',
    subscriptionId: 'text?',
    checkoutId: 'text?',
    invoiceNumber: 'text',
    billingName: 'text?',
    billingAddress: 'json?',
    /** Since then its invoice stands, and whom it is made out to with it. */
    invoiceIssuedAt: 'time?',
    /** Customer, product, discount and tax number as they were (ORD-8). */
    snapshot: 'json',
    customFieldData: 'json',
    metadata: 'json',
    paidAt: 'time?',
    createdAt: 'time',
    modifiedAt: 'time?',
  },
  orderItem: {
    id: 'text',
    orderId: 'text',
    label: 'text',
    amount: 'integer',
    taxAmount: 'integer',
    proration: 'flag',
    productPriceId: 'text?',
    position: 'integer',
    createdAt: 'time',
  },
  /** An attempt to be paid, or to keep a payment method (`purpose: 'setup'`); its id is what the processor knows it by. */
  payment: {
    id: 'text',
    organizationId: 'text',
    processor: 'text',
    purpose: 'text',
    status: 'text',
    amount: 'integer',
    currency: 'text',
    method: 'text',
    methodMetadata: 'json?',
    declineReason: 'text?',
    declineMessage: 'text?',
    checkoutId: 'text?',
    orderId: 'text?',
    customerId: 'text?',
    customerEmail: 'text?',
    paymentMethodId: 'text?',
    /** What the processor calls it, once it has answered. */
    processorReference: 'text?',
    /** Whether no real money moves by it. */
    isTest: 'flag',
    settledAt: 'time?',
    createdAt: 'time',
    modifiedAt: 'time?',
  },
  /** Money on its way back; its id is what the processor knows it by. Amounts are before tax, with their share of it. */
  refund: {
    id: 'text',
    organizationId: 'text',
    orderId: 'text',
    subscriptionId: 'text?',
    customerId: 'text',
    /** What is given back. */
    paymentId: 'text',
    processor: 'text',
    status: 'text',
    reason: 'text',
    amount: 'integer',
    taxAmount: 'integer',
    currency: 'text',
    comment: 'text?',
    revokeBenefits: 'flag',
    metadata: 'json',
    processorReference: 'text?',
    failureReason: 'text?',
    /** Given once it has succeeded, without gaps; stays where it fails later. */
    creditNoteNumber: 'text?',
    disputeId: 'text?',
    actorId: 'text?',
    settledAt: 'time?',
    createdAt: 'time',
    modifiedAt: 'time?',
  },
  /** What a buyer disputes at their bank, as the processor tells it. */
  dispute: {
    id: 'text',
    organizationId: 'text',
    orderId: 'text',
    paymentId: 'text',
    customerId: 'text',
    processor: 'text',
    /** What the processor calls it: one row for each. */
    processorReference: 'text',
    status: 'text',
    reason: 'text?',
    amount: 'integer',
    taxAmount: 'integer',
    currency: 'text',
    evidenceDueBy: 'time?',
    createdAt: 'time',
    modifiedAt: 'time?',
  },
  /** An invoice, receipt or credit note as it was issued: everything that stands on it. Never changed. */
  document: {
    id: 'text',
    organizationId: 'text',
    orderId: 'text',
    refundId: 'text?',
    kind: 'text',
    number: 'text',
    locale: 'text',
    /** JSON, drawn from it whenever it is read. */
    content: 'text',
    createdAt: 'time',
  },
  /** Who is told what happens in a seller's shop (billing contract, 3.10). */
  webhookEndpoint: {
    id: 'text',
    organizationId: 'text',
    /** Told of all accounts and organizations of the installation, too. */
    coversInstallation: 'flag',
    name: 'text?',
    url: 'text',
    format: 'text',
    sealedSecret: 'text',
    /** The one before, which still signs for a day (WH-12). */
    sealedPreviousSecret: 'text?',
    previousSecretExpiresAt: 'time?',
    /** Those before that one which have not come to their end either, sealed, the youngest first (`EarlierSecret`). */
    earlierSecrets: 'json?',
    events: 'json',
    /** The language of mails about it: that of whoever made it. */
    locale: 'text',
    enabled: 'flag',
    disabledReason: 'text?',
    /** Since when nothing has come through, and how many events have failed since then (WH-7). */
    failingSince: 'time?',
    failedEvents: 'integer',
    /** When the oldest event happened that was given up or not sent; nothing once all since then was asked for again. */
    missedSince: 'time?',
    /** Until when it is left alone: its receiver has asked for it, or has failed many times in a row. */
    resumeAt: 'time?',
    deletedAt: 'time?',
    createdAt: 'time',
    modifiedAt: 'time?',
  },
  /** An event for an endpoint, written in the transaction of the event; its id is not sent, the event's is. */
  webhookMessage: {
    id: 'text',
    /** Grows with every message: they are sent in this order. */
    sequence: 'growing',
    endpointId: 'text',
    organizationId: 'text',
    eventId: 'text',
    type: 'text',
    /** Of one object everything is sent in order. */
    subjectId: 'text?',
    /** What it tells, where the event's own record does not hold it: of accounts and organizations, and of examples. */
    payload: 'text?',
    /** `pending`, `succeeded`, `failed` (given up), `skipped` (its endpoint was off). */
    state: 'text',
    /** In all, and those that have failed since it was asked for last. */
    attempts: 'integer',
    failures: 'integer',
    /** When the first of those failed: later messages of the same object wait for it, for a minute from then on (WH-5). */
    firstFailedAt: 'time?',
    nextAttemptAt: 'time?',
    lastHttpCode: 'integer?',
    createdAt: 'time',
    modifiedAt: 'time?',
  },
  /** One attempt to send a message. */
  webhookAttempt: {
    id: 'text',
    organizationId: 'text',
    endpointId: 'text',
    messageId: 'text',
    eventId: 'text',
    type: 'text',
    attempt: 'integer',
    /** Where to, and in which format: the endpoint may have others by now. */
    url: 'text',
    format: 'text',
    succeeded: 'flag',
    httpCode: 'integer?',
    durationMs: 'integer',
    requestHeaders: 'json',
    /** The first 2,000 bytes of the answer, or why there was none. */
    response: 'text?',
    responseHeaders: 'json?',
    createdAt: 'time',
  },
  /** Whom a customer is at Stripe: methods that are kept belong to one there. Only `payments/stripe` reads it. */
  stripeCustomer: {
    customerId: 'text',
    reference: 'text',
    createdAt: 'time',
  },
  /** Events of processors that have come, by their own ids: the same one again changes nothing. */
  processorEvent: {
    id: 'text',
    processor: 'text',
    type: 'text',
    createdAt: 'time',
  },
  /** What the sandbox processor keeps of its own, as a real one would at its own place; only `payments/sandbox` reads it. */
  sandboxToken: {
    id: 'text',
    card: 'text',
    brand: 'text',
    lastFour: 'text',
    expMonth: 'integer',
    expYear: 'integer',
    expiresAt: 'time',
    createdAt: 'time',
  },
  sandboxIntent: {
    /** Our payment's id: a second call with it is the first one. */
    id: 'text',
    reference: 'text',
    card: 'text',
    status: 'text',
    purpose: 'text',
    amount: 'integer',
    currency: 'text',
    declineReason: 'text?',
    clientSecretHash: 'text?',
    sealedClientSecret: 'text?',
    /** Its answer as text, so that it can be given again. */
    content: 'text',
    createdAt: 'time',
    updatedAt: 'time',
  },
  /** What the sandbox has given back, or not; what a row will be later is in it from the beginning. */
  sandboxRefund: {
    /** Our refund's id: a second call with it is the first one. */
    id: 'text',
    intentId: 'text',
    reference: 'text',
    status: 'text',
    amount: 'integer',
    currency: 'text',
    failureReason: 'text?',
    /** What becomes of it by itself, and when. */
    laterStatus: 'text?',
    laterAt: 'time?',
    createdAt: 'time',
  },
  sandboxDispute: {
    /** Its reference. */
    id: 'text',
    intentId: 'text',
    status: 'text',
    amount: 'integer',
    currency: 'text',
    createdAt: 'time',
  },
  /** Requests that named an `Idempotency-Key`, with their answers, for a day. */
  idempotencyKey: {
    /** SHA-256 of who asks and the key. */
    key: 'text',
    requestHash: 'text',
    /** `pending`, `changed` (its transaction has committed), `answered`. */
    state: 'text',
    answerBody: 'text?',
    /** Whose run it is: a process that dies leaves it to the next one. */
    leaseUntil: 'time?',
    expiresAt: 'time',
    createdAt: 'time',
  },
  /** What happened, written in the transaction that made it happen: audit log and source of webhooks. */
  event: {
    id: 'text',
    type: 'text',
    actorId: 'text?',
    userId: 'text?',
    /** The organization that it happened in. */
    organizationId: 'text?',
    /** Of what happened in billing: the selling organization, and the object as it then was, as it goes over the wire. */
    merchantId: 'text?',
    /** Which object that was, so that its events can go with it. */
    subjectId: 'text?',
    /** Whose timeline it stands in. */
    customerId: 'text?',
    payload: 'text?',
    data: 'json?',
    createdAt: 'time',
  },
  /** Work to do after a commit; see `jobs.ts`. */
  job: {
    id: 'text',
    kind: 'text',
    /** Which slots it waits for. */
    lane: 'text',
    /** The organization whose job it is, where one of them takes only some of the slots. */
    organizationId: 'text?',
    payload: 'text',
    runAt: 'time',
    attempts: 'integer',
    /** How often it was called for: one that was called while it ran runs again. */
    calls: 'integer',
    leaseUntil: 'time?',
    /** Set when the last attempt failed for good: the job stays, listed, until somebody retries or removes it. */
    deadAt: 'time?',
    lastError: 'text?',
    createdAt: 'time',
  },
  /** Counters of everything that guesses, shared between processes (`rateLimit.storage: 'database'`). */
  rateLimit: {
    key: 'text',
    count: 'integer',
    expiresAt: 'time',
  },
  /** Values of the installation itself, such as the offset of the development clock. */
  setting: {
    key: 'text',
    value: 'text',
    updatedAt: 'time',
  },
  /** The developer inbox: mails are kept here in development mode only. */
  inboxMessage: {
    id: 'text',
    recipient: 'text',
    sender: 'text',
    subject: 'text',
    textBody: 'text',
    htmlBody: 'text',
    /** The documents that came with it. */
    attachments: 'json?',
    createdAt: 'time',
  },
} as const satisfies Record<string, Record<string, ColumnKind>>

export type ColumnKind =
  | 'text'
  | 'text?'
  | 'time'
  | 'time?'
  | 'flag'
  | 'integer'
  | 'integer?'
  /** A number that the database gives, each larger than the one before. */
  | 'growing'
  | 'json'
  | 'json?'

type Values = {
  text: string
  'text?': ColumnType<string | null, string | null | undefined, string | null>
  time: Date
  'time?': ColumnType<Date | null, Date | null | undefined, Date | null>
  flag: boolean
  integer: number
  'integer?': ColumnType<number | null, number | null | undefined, number | null>
  growing: ColumnType<number, never, never>
  /** Written as JSON text (`toJson`), read back as the value. */
  json: ColumnType<unknown, string, string>
  'json?': ColumnType<unknown, string | null | undefined, string | null>
}

/** The database as Kysely sees it. */
export type Tables = {
  [Name in keyof typeof tables]: {
    [Column in keyof (typeof tables)[Name]]: (typeof tables)[Name][Column] extends infer Kind extends ColumnKind
      ? Values[Kind]
      : never
  }
}

/** JSON columns are written as text on both databases: `pg` would turn a list into a PostgreSQL array. */
export const toJson = (value: unknown): string => JSON.stringify(value)
