import type { CheckoutPublic, PayLink, Product, ProductPrice } from '@tollgate/contract/billing-types'
import { noBrand } from '@tollgate/contract/brand'
import type { PageData, PageReceipt } from '@tollgate/contract/pages'
import { firstOf } from '../../foundation/proof/proven.ts'
import { ada, type Fixture, longEmail, longName, now } from './fixture-data.ts'

/** Fixtures of the billing pages: products, checkouts and receipts in every state. */

type Offer = CheckoutPublic['products'][number]

const stamps = { createdAt: '2026-02-20T08:15:00.000Z', modifiedAt: null }
const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const seller: CheckoutPublic['organization'] = {
  ...stamps,
  id: 'fixtureOrganization0000000000000',
  name: 'Northwind Traders',
  slug: 'northwind',
  brand: noBrand,
  avatarUrl: null,
  email: 'sales@northwind.example',
  website: 'https://northwind.example',
  socials: [],
  detailsSubmittedAt: null,
  featureSettings: null,
  subscriptionSettings: {
    allowMultipleSubscriptions: false,
    allowCustomerUpdates: true,
    prorationBehavior: 'prorate',
    benefitRevocationGracePeriod: 0,
    dunningRetryAfterDays: null,
  },
  maySell: true,
}

type PriceTerms<Price = ProductPrice> = Price extends { amountType: infer Type }
  ? { amountType: Type } & Partial<Omit<Price, 'amountType'>>
  : never

const price = (terms: PriceTerms, recurringInterval: Offer['recurringInterval'], number: number) =>
  ({
    ...stamps,
    id: uuid(100 + number),
    source: 'catalog',
    isArchived: false,
    productId: uuid(number),
    type: recurringInterval === null ? 'one_time' : 'recurring',
    recurringInterval,
    taxBehavior: null,
    ...terms,
  }) as ProductPrice // the terms of a kind have all of its members

export function offer(
  number: number,
  name: string,
  recurringInterval: Offer['recurringInterval'],
  terms: readonly PriceTerms[],
  rest: Partial<Product> = {},
): Offer {
  return {
    ...stamps,
    id: uuid(number),
    name,
    description: null,
    recurringInterval,
    isRecurring: recurringInterval !== null,
    isArchived: false,
    isTaxExempt: false,
    organizationId: seller.id,
    metadata: {},
    recurringIntervalCount: null,
    trialInterval: null,
    trialIntervalCount: null,
    trialUntil: null,
    trialCardRequired: true,
    visibility: 'public',
    prices: terms.map((each) => price(each, recurringInterval, number)),
    benefits: [],
    medias: [],
    features: [],
    isHighlighted: false,
    position: 0,
    ...rest,
  }
}

export const fixed = (priceAmount: number, priceCurrency = 'usd') =>
  ({ amountType: 'fixed', priceAmount, priceCurrency }) as const
export const metered = (unitAmount: string, name: string, capAmount: number | null = null) =>
  ({
    amountType: 'metered_unit',
    priceCurrency: 'usd',
    unitAmount,
    capAmount,
    meterId: uuid(900),
    meter: { id: uuid(900), name },
  }) as const
const custom = { amountType: 'custom', priceCurrency: 'usd' } as const

const about = 'The complete atlas as a book and a file.\nShips from Trondheim within two days.'
const benefit = (number: number, description: string): Offer['benefits'][number] => ({
  ...stamps,
  id: uuid(800 + number),
  type: 'custom',
  description,
  selectable: true,
  deletable: true,
  organizationId: seller.id,
})
const picture = (address: string): Offer['medias'][number] => ({
  createdAt: stamps.createdAt,
  id: uuid(700),
  organizationId: seller.id,
  name: 'atlas.png',
  path: 'atlas.png',
  mimeType: 'image/png',
  size: 1024,
  storageVersion: null,
  checksumEtag: null,
  checksumSha256Base64: null,
  checksumSha256Hex: null,
  lastModifiedAt: null,
  version: null,
  isUploaded: true,
  sizeReadable: '1 kB',
  service: 'product_media',
  publicUrl: address,
})

const book = offer(1, 'Atlas of the north', null, [fixed(1900)], { description: about })
export const monthly = offer(2, 'Harbor', 'month', [fixed(1900), metered('0.2', 'API calls', 5000)], {
  description: 'For crews of up to ten.',
  benefits: [benefit(1, 'Ten berths'), benefit(2, 'Charts of every coast'), benefit(3, 'Answers within a day')],
})
export const yearly = offer(3, 'Harbor', 'year', [fixed(19000)], {
  description: 'For crews of up to ten.',
  benefits: [benefit(1, 'Ten berths'), benefit(2, 'Charts of every coast'), benefit(3, 'Answers within a day')],
})
export const free = offer(4, 'Tide tables', null, [{ amountType: 'free' }], { description: 'Yours for good.' })
export const donation = offer(5, 'Keep the lighthouse lit', null, [
  { ...custom, minimumAmount: 500, maximumAmount: 50_000, presetAmount: 2500 },
])
export const usage = offer(6, 'Weather feed', 'month', [metered('0.05', 'Forecasts'), metered('12', 'Storm alerts')])

const amounts = (amount: number, discountAmount = 0, taxAmount: number | null = null) => {
  const netAmount = amount - discountAmount
  return { amount, discountAmount, netAmount, taxAmount, totalAmount: netAmount + (taxAmount ?? 0) }
}
const noAddress = { country: true, state: false, city: false, postalCode: false, line1: false, line2: false }
const needOf = (wanted: boolean) => (wanted ? 'required' : 'disabled')
const fieldsOf = (asked: CheckoutPublic['customerBillingAddressFields']) => ({
  customerBillingAddressFields: asked,
  billingAddressFields: Object.fromEntries(
    Object.entries(asked).map(([name, wanted]) => [name, needOf(wanted)]),
  ) as CheckoutPublic['billingAddressFields'], // same keys
})

const secret = 'fixture'
const address = 'http://localhost:3000'

const checkoutOf = (products: readonly Offer[], rest: Partial<CheckoutPublic> = {}): CheckoutPublic => {
  const product = firstOf(products, 'the fixtures have products')
  const productPrice = firstOf(product.prices, 'each product has a price')
  return {
    ...stamps,
    id: uuid(500),
    paymentProcessor: 'stripe',
    processor: 'sandbox',
    status: 'open',
    clientSecret: secret,
    url: `${address}/checkout/${secret}`,
    expiresAt: '2026-03-02T12:00:00.000Z',
    successUrl: `${address}/checkout/${secret}/confirmation`,
    returnUrl: null,
    embedOrigin: null,
    ...amounts(productPrice.amountType === 'fixed' ? productPrice.priceAmount : 0),
    tax: null,
    currency: 'usd',
    organizationId: seller.id,
    productId: product.id,
    productPriceId: productPrice.id,
    discountId: null,
    allowDiscountCodes: true,
    requireBillingAddress: false,
    isDiscountApplicable: true,
    isFreeProductPrice: false,
    isPaymentRequired: true,
    isPaymentSetupRequired: product.isRecurring,
    isPaymentFormRequired: true,
    isBusinessCustomer: false,
    customerId: null,
    customerName: null,
    customerEmail: null,
    customerIpAddress: null,
    customerBillingName: null,
    customerBillingAddress: null,
    customerTaxId: null,
    ...fieldsOf(noAddress),
    paymentProcessorMetadata: {},
    customFieldData: {},
    products: [...products],
    product,
    productPrice,
    prices: {},
    discount: null,
    attachedCustomFields: [],
    seats: null,
    allowTrial: null,
    activeTrialInterval: null,
    activeTrialIntervalCount: null,
    trialEnd: null,
    trialRedeemed: false,
    locale: null,
    taxBehavior: null,
    organization: seller,
    ...rest,
  }
}

type Question = CheckoutPublic['attachedCustomFields'][number]['customField']
const question = (number: number, required: boolean, field: Pick<Question, 'type' | 'slug' | 'name' | 'properties'>) =>
  ({
    customFieldId: uuid(600 + number),
    customField: { ...stamps, id: uuid(600 + number), organizationId: seller.id, metadata: {}, ...field },
    order: number,
    required,
  }) as CheckoutPublic['attachedCustomFields'][number] // each has the properties of its type
const questions = [
  question(1, true, {
    type: 'text',
    slug: 'vessel',
    name: 'Vessel',
    properties: { formLabel: 'Name of the vessel', formPlaceholder: 'Aurora', maxLength: 40 },
  }),
  question(2, false, {
    type: 'text',
    slug: 'note',
    name: 'Note',
    properties: { textarea: true, formHelpText: 'Whatever the crew should know.' },
  }),
  question(3, true, { type: 'number', slug: 'crew', name: 'Size of the crew', properties: { ge: 1, le: 40 } }),
  question(4, false, { type: 'date', slug: 'departure', name: 'Departure', properties: { ge: 1_772_323_200 } }),
  question(5, true, {
    type: 'select',
    slug: 'port',
    name: 'Home port',
    properties: {
      options: [
        { value: 'trd', label: 'Trondheim' },
        { value: 'bgo', label: 'Bergen' },
      ],
    },
  }),
  question(6, true, {
    type: 'checkbox',
    slug: 'terms',
    name: 'Terms',
    properties: { formLabel: 'I have read the terms of carriage', formHelpText: 'They are on our website.' },
  }),
]

const discount: NonNullable<CheckoutPublic['discount']> = {
  id: uuid(400),
  name: 'Spring tide',
  code: 'SPRING20',
  type: 'percentage',
  duration: 'once',
  basisPoints: 2000,
}
const inUsa = {
  customerBillingAddress: {
    line1: '1 Harbor Street',
    line2: null,
    postalCode: '94111',
    city: 'San Francisco',
    state: 'US-CA',
    country: 'US',
  },
  ...fieldsOf({ country: true, state: true, city: true, postalCode: true, line1: true, line2: false }),
}
const inGermany = {
  customerBillingAddress: {
    line1: null,
    line2: null,
    postalCode: null,
    city: null,
    state: null,
    country: 'DE',
  },
}
const inQuebec: Partial<CheckoutPublic> = {
  customerBillingAddress: { line1: null, line2: null, postalCode: null, city: null, state: 'CA-QC', country: 'CA' },
  ...fieldsOf({ country: true, state: true, city: false, postalCode: false, line1: false, line2: false }),
  tax: {
    treatment: 'taxed',
    lines: [
      { name: 'GST', country: 'CA', state: null, percent: '5', taxableAmount: 1900, amount: 95 },
      { name: 'QST', country: 'CA', state: 'CA-QC', percent: '9.975', taxableAmount: 1900, amount: 190 },
    ],
  },
}
const business = {
  isBusinessCustomer: true,
  customerBillingName: 'Analytical Engines GmbH',
  customerTaxId: 'DE136695976',
  customerBillingAddress: {
    line1: 'Deichstraße 12',
    line2: null,
    postalCode: '20459',
    city: 'Hamburg',
    state: null,
    country: 'DE',
  },
  ...fieldsOf({ country: true, state: false, city: true, postalCode: true, line1: true, line2: false }),
}
const nothingDue = { isPaymentRequired: false, isPaymentSetupRequired: false, isPaymentFormRequired: false }
const longOffer = offer(7, `${longName} deluxe anniversary edition`, 'year', [fixed(99_999_999)], {
  description: `${longName.repeat(4)} ${about}`,
})
const confirmed = { status: 'confirmed', customerEmail: ada.email, customerName: ada.name } as const

const open =
  (
    products: readonly Offer[],
    rest: Partial<CheckoutPublic> = {},
    page: Partial<
      Pick<PageData<'checkout'>, 'signedInAs' | 'declined' | 'embedded' | 'likelyCountry' | 'isUntaxed'>
    > = {},
  ): Fixture =>
  (visit) =>
    visit.data('checkout', { clientSecret: secret, checkout: checkoutOf(products, rest), frozen: true, ...page })

/** The tax of most fixtures. */
const german = (taxableAmount: number, amount: number): PageReceipt['tax'] => ({
  treatment: 'taxed',
  lines: [{ name: 'VAT', country: 'DE', state: null, percent: '19', taxableAmount, amount }],
})

const receipt: PageReceipt = {
  number: 'NORTHWIND-000042',
  createdAt: now,
  status: 'paid',
  currency: 'usd',
  subtotalAmount: 1900,
  discountAmount: 0,
  netAmount: 1900,
  taxAmount: 0,
  tax: null,
  totalAmount: 1900,
  items: [{ label: book.name, amount: 1900 }],
  buyer: { name: ada.name, email: ada.email, billingAddress: inUsa.customerBillingAddress, taxId: null },
  discount: null,
  card: { brand: 'visa', last4: '4242' },
  sellerAtLaw: null,
  refunds: [],
  refundedBefore: 0,
  documents: [
    { id: uuid(950), kind: 'invoice', number: 'NORTHWIND-000042' },
    { id: uuid(951), kind: 'receipt', number: 'NORTHWIND-000042-R' },
  ],
}
const sellerAtLaw: PageReceipt['sellerAtLaw'] = {
  legalName: 'Northwind Traders GmbH',
  address: { line1: 'Kai 3', line2: null, postalCode: '20457', city: 'Hamburg', state: null, country: 'DE' },
  taxId: 'DE136695976',
}

const paid =
  (receipt: PageReceipt, rest: Partial<CheckoutPublic> = {}): Fixture =>
  (visit) =>
    visit.data('checkout-confirmation', {
      clientSecret: secret,
      checkout: checkoutOf([book], { status: 'succeeded', ...rest }),
      receipt,
      frozen: true,
    })

const owed: PayLink = {
  purpose: 'payment',
  status: 'open',
  expiresAt: '2026-03-31T12:00:00.000Z',
  organization: seller,
  customerName: ada.name,
  customerEmail: ada.email,
  country: 'DE',
  invoiceNumber: null,
  dueAt: null,
  description: monthly.name,
  items: [
    { label: 'Harbor', amount: 1900 },
    { label: 'API calls (1,250 units)', amount: 250 },
  ],
  subtotalAmount: 2150,
  discountAmount: 0,
  taxAmount: 0,
  totalAmount: 2150,
  appliedBalanceAmount: 0,
  dueAmount: 2150,
  currency: 'usd',
  processor: 'sandbox',
  isTest: true,
  paymentProcessorMetadata: {},
  savedMethod: { type: 'card', brand: 'visa', last4: '4242' },
}
const anotherCard: Partial<PayLink> = {
  ...{ purpose: 'card', items: [], subtotalAmount: 0, totalAmount: 0, dueAmount: 0, savedMethod: null },
}
const owing =
  (rest: Partial<PayLink> = {}): Fixture =>
  (visit) =>
    visit.data('pay', { payToken: secret, due: { ...owed, ...rest }, frozen: true })

export const checkoutFixtures: Readonly<Record<string, Readonly<Record<string, Fixture>>>> = {
  [`/checkout/${secret}`]: {
    once: open([book], {}, { likelyCountry: 'DE' }),
    untaxed: open([book], {}, { isUntaxed: true }),
    picture: open([{ ...book, medias: [picture('/favicon.svg')] }]),
    subscription: open([monthly], { ...inGermany, ...amounts(1900, 0, 0) }),
    several: open([monthly, yearly, usage]),
    amount: open([donation], amounts(2500)),
    usage: open([usage], { ...amounts(0, 0, 0), isPaymentRequired: false }),
    free: open([free], { ...amounts(0, 0, 0), ...nothingDue, isFreeProductPrice: true, isDiscountApplicable: false }),
    'all-off': open([book], {
      ...amounts(1900, 1900, 0),
      ...nothingDue,
      discount: { ...discount, basisPoints: 10_000, code: null, name: 'For friends' },
      discountId: discount.id,
      allowDiscountCodes: false,
    }),
    questions: open([{ ...book, name: 'Passage to Svalbard' }], { attachedCustomFields: questions }),
    states: open([book], { ...inUsa, ...amounts(1900, 0, 0) }),
    business: open([book], { ...business, ...amounts(1900, 0, 361), tax: german(1900, 361) }),
    taxes: open([book], { ...inQuebec, ...amounts(1900, 0, 285) }),
    discount: open([book], {
      ...inGermany,
      ...amounts(1900, 380, 289),
      tax: german(1520, 289),
      discount,
      discountId: discount.id,
    }),
    'discount-months': open([monthly], {
      ...amounts(1900, 500),
      discountId: discount.id,
      discount: {
        ...discount,
        type: 'fixed',
        duration: 'repeating',
        durationInMonths: 3,
        amount: 500,
        currency: 'usd',
      },
    }),
    declined: open(
      [book],
      { ...inUsa, ...amounts(1900, 0, 0), customerEmail: ada.email, customerName: ada.name },
      { declined: 'insufficient_funds' },
    ),
    known: open([monthly], { customerId: uuid(300), customerEmail: ada.email, customerName: ada.name }),
    'signed-in': open(
      [monthly],
      { customerEmail: ada.email, customerName: ada.name },
      { signedInAs: { name: ada.name, email: ada.email } },
    ),
    embedded: open([book], {}, { embedded: true }),
    confirming: open([book], confirmed),
    action: open([book], {
      ...confirmed,
      paymentProcessorMetadata: { intent_status: 'requires_action', intent_client_secret: 'fixture' },
    }),
    expired: (visit) =>
      visit.data('checkout-closed', {
        status: 'expired',
        seller,
        product: book.name,
        back: 'https://northwind.example/',
      }),
    failed: (visit) => visit.data('checkout-closed', { status: 'failed', seller, product: book.name }),
    long: open(
      [longOffer, { ...book, name: longName }],
      {
        ...business,
        ...amounts(99_999_999, 12_345_678, 9_999_999),
        discount: { ...discount, name: longName, code: 'A'.repeat(60), duration: 'forever' },
        discountId: discount.id,
        customerEmail: longEmail,
        organization: { ...seller, name: longName },
        attachedCustomFields: [question(9, true, { type: 'text', slug: 'long', name: longName, properties: {} })],
      },
      { signedInAs: { name: longName, email: longEmail } },
    ),
  },
  [`/checkout/${secret}/confirmation`]: {
    processing: (visit) =>
      visit.data('checkout-confirmation', {
        clientSecret: secret,
        checkout: checkoutOf([book], confirmed),
        frozen: true,
      }),
    paid: paid(receipt),
    refunded: paid({
      ...receipt,
      status: 'refunded',
      sellerAtLaw,
      refunds: [
        { at: '2026-03-03T12:00:00.000Z', amount: 1500 },
        { at: '2026-03-02T12:00:00.000Z', amount: 300 },
      ],
      refundedBefore: 100,
      documents: [
        ...receipt.documents,
        { id: uuid(952), kind: 'credit_note', number: 'NORTHWIND-CN-000001' },
        { id: uuid(953), kind: 'credit_note', number: 'NORTHWIND-CN-000002' },
      ],
    }),
    discounted: paid(
      {
        ...receipt,
        subtotalAmount: 1900,
        discountAmount: 380,
        netAmount: 1520,
        taxAmount: 289,
        tax: german(1520, 289),
        totalAmount: 1809,
        discount: 'SPRING20',
        buyer: {
          name: 'Analytical Engines GmbH',
          email: ada.email,
          billingAddress: business.customerBillingAddress,
          taxId: 'DE136695976',
        },
      },
      { successUrl: 'https://northwind.example/thanks?checkout={CHECKOUT_ID}' },
    ),
    subscription: paid({
      ...receipt,
      items: [{ label: 'Harbor', amount: 1900 }],
      renewal: {
        interval: 'month',
        at: '2026-04-01T12:00:00.000Z',
        charges: { next: 1900, later: 1900 },
        hasUsage: true,
      },
    }),
    reverse: paid({
      ...receipt,
      tax: { treatment: 'reverse_charge', lines: [] },
      buyer: {
        name: 'Analytical Engines GmbH',
        email: ada.email,
        billingAddress: business.customerBillingAddress,
        taxId: 'DE136695976',
      },
    }),
    free: paid({
      ...receipt,
      subtotalAmount: 0,
      netAmount: 0,
      totalAmount: 0,
      items: [{ label: free.name, amount: 0 }],
      buyer: { name: null, email: ada.email, billingAddress: null, taxId: null },
    }),
    long: paid(
      {
        ...receipt,
        items: [
          { label: longName, amount: 99_999_999 },
          { label: `${longName} ${longName}`, amount: 12 },
        ],
        buyer: { ...receipt.buyer, name: longName, email: longEmail, taxId: 'X'.repeat(40) },
        discount: longName,
        discountAmount: 12_345_678,
        totalAmount: 99_999_999,
      },
      { organization: { ...seller, name: longName, email: longEmail } },
    ),
  },
  [`/pay/${secret}`]: {
    open: owing(),
    'new-card': owing({ savedMethod: null }),
    invoice: owing({ invoiceNumber: 'ACME-000123', dueAt: '2026-03-15T12:00:00.000Z', savedMethod: null }),
    'invoice-paid': owing({ status: 'paid', invoiceNumber: 'ACME-000123', dueAt: '2026-03-15T12:00:00.000Z' }),
    credit: owing({
      discountAmount: 190,
      taxAmount: 372,
      totalAmount: 2332,
      appliedBalanceAmount: -500,
      dueAmount: 1832,
    }),
    declined: owing({ paymentProcessorMetadata: { decline_reason: 'insufficient_funds' } }),
    authenticate: owing({ paymentProcessorMetadata: { decline_reason: 'authentication_required' } }),
    action: owing({
      status: 'pending',
      paymentProcessorMetadata: { intent_status: 'requires_action', intent_client_secret: 'fixture' },
    }),
    pending: owing({ status: 'pending' }),
    paid: owing({ status: 'paid' }),
    void: owing({ status: 'void' }),
    card: owing(anotherCard),
    'card-saved': owing({ ...anotherCard, status: 'paid' }),
    'card-void': owing({ ...anotherCard, status: 'void' }),
    closed: (visit) => visit.data('pay-closed', {}),
    long: owing({
      organization: { ...seller, name: longName },
      description: longName,
      items: [{ label: `${longName} ${longName}`, amount: 99_999_999 }],
      dueAmount: 99_999_999,
      savedMethod: { type: 'card', brand: longName, last4: '4242' },
    }),
  },
}
