/** What a timeline shows of an event's object: a few members. */

type Wire = Readonly<Record<string, unknown>>
type Summary = Readonly<Record<string, string | number | boolean | null>>

/** Members shown unchanged, under the API's names. */
const members: readonly (readonly [wire: string, ours: string])[] = [
  ['name', 'name'],
  ['email', 'email'],
  ['status', 'status'],
  ['reason', 'reason'],
  ['billing_reason', 'billingReason'],
  ['invoice_number', 'number'],
  ['currency', 'currency'],
  ['order_id', 'orderId'],
  ['subscription_id', 'subscriptionId'],
  ['recurring_interval', 'interval'],
  ['cancel_at_period_end', 'cancelAtPeriodEnd'],
  ['is_archived', 'isArchived'],
  ['scheduled_phases', 'scheduledPhases'],
  ['description', 'description'],
]

/** Summarizes a stored payload. Returns plain values only, none longer than one line. */
export function summaryOf(type: string, payload: string): Summary {
  const subject: Wire = JSON.parse(payload) // written by `emitBilling`
  const told = members.flatMap(([wire, ours]) =>
    isPlain(subject[wire]) ? [[ours, short(subject[wire])] as const] : [],
  )
  const amount = amountOf(type, subject)
  const product = memberOf(subject.product, 'name')
  const customer = memberOf(subject.customer, 'name') ?? memberOf(subject.customer, 'email') ?? subject.customer_email
  return {
    ...Object.fromEntries(told),
    ...(amount !== undefined && { amount }),
    ...(isPlain(product) && { product: short(withQuantity(product, subject.quantity)) }),
    ...(isPlain(customer) && { customer: short(customer) }),
  }
}

/** A product as it is sold: with its units, where there are several. */
const withQuantity = (product: Plain, quantity: unknown): Plain =>
  typeof quantity === 'number' && quantity > 1 ? `${quantity} × ${product}` : product

/** The price of an object with tax, as its payment states it. */
function amountOf(type: string, subject: Wire): number | undefined {
  if (type === 'order.refunded') return sum(subject.refunded_amount, subject.refunded_tax_amount)
  return sum(subject.total_amount) ?? sum(subject.amount, subject.tax_amount)
}

/** Undefined if the first is not an amount. */
const sum = (amount: unknown, more?: unknown): number | undefined =>
  typeof amount === 'number' ? amount + (typeof more === 'number' ? more : 0) : undefined

type Plain = string | number | boolean

const isPlain = (value: unknown): value is Plain =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'boolean'

const short = (value: Plain): Plain => (typeof value === 'string' ? value.slice(0, 200) : value)

const memberOf = (object: unknown, name: string): unknown =>
  (typeof object === 'object' && object !== null && Reflect.get(object, name)) || undefined
