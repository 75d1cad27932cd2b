import { isSoldByStripe, limitsAtStripe } from '@tollgate/contract/billing'
import type Stripe from 'stripe'
import { days, hours } from '../../../foundation/clock.ts'
import type { StripeSettings } from '../../../foundation/config/stripe.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Id } from '../../../foundation/db/database.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { isOfProcessor, noteIntent } from './processor.repository.ts'
import { type Attempt, type Charge, type Processor, UnknownConfirmationToken } from './processor.ts'
import { declineMessages } from './sandbox-cards.ts'
import {
  adoptStripeCustomer,
  findRefundedIntent,
  findStripePayment,
  forgetStripeCustomer,
  keepStripeCustomer,
  type StripePayment,
} from './stripe.repository.ts'
import {
  attemptOf,
  canceledOf,
  declinedOf,
  disputeOf,
  foreignRefundOf,
  type Intent,
  notTried,
  refundAttemptOf,
  toStripe,
} from './stripe-answers.ts'
import { type Refusal, refusalOf, stripeClient } from './stripe-client.ts'
import { detachMethod, findToken } from './stripe-methods.ts'

/**
 * Payments by Stripe (docs.stripe.com/api). A payment is one intent at Stripe, created and confirmed by two calls. An
 * intent takes no money before its confirmation, so a retry may create it again under the same idempotency key, which
 * returns the first intent. That finds it, or cancels it before a delayed confirmation arrives. Stripe's id is stored
 * between the two calls. If the process dies before that, the intent is found among its customer's.
 */
export type StripeNeeds = Pick<Context, 'db' | 'transaction' | 'clock' | 'log' | 'fetch'>

/** Stripe keeps idempotency keys for at least 24 hours; until then a retry returns the first intent. */
const keyLife = hours(20)
/** If creating the intent has had no answer for this long, the payment never began. */
const beginningLimit = hours(1)
/**
 * A payment that Stripe does not know may belong to other keys that could return. For this long the buyer may still
 * confirm it there, and must not be asked to pay again.
 */
const lostLimit = days(1)
/** How many of a customer's newest intents to search for one whose id was not stored. */
const lookLimit = 300

export function createStripe(settings: StripeSettings, needs: StripeNeeds): Processor {
  const { db, clock, log } = needs
  const client = stripeClient(settings, needs.fetch)
  const { isTest, takesLink } = settings
  const methodTypes: readonly string[] = takesLink ? ['card', 'link'] : ['card']

  async function charge({ paymentId, source, keepMethod, offSession }: Charge): Promise<Attempt> {
    const payment = await paymentOf(paymentId)
    if (!isSoldByStripe(payment.currency)) return refused(payment, foreignCurrency)
    const stripe = await client()
    const [methodOwner, method] = 'methodReference' in source ? source.methodReference.split(' ') : []
    try {
      const { customer, intent } = await beginFor(stripe, payment, methodOwner)
      if (!(await note(payment, intent))) return canceledOf(intent.id)
      return await confirm(stripe, { ...payment, stripeCustomer: customer }, intent, {
        ...('confirmationToken' in source
          ? { confirmation_token: source.confirmationToken }
          : { payment_method: proven(method, 'a payment that succeeded has its method') }), // written by `attemptOf`
        ...(keepMethod && payment.purpose === 'charge' && { setup_future_usage: 'off_session' as const }),
        ...(offSession && { off_session: true }),
      })
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal || error instanceof UnknownConfirmationToken) throw error
      return refused(payment, refusal)
    }
  }

  /**
   * The first call, for the customer's Stripe id. If Stripe no longer knows the customer (removed, or made by other
   * keys), creates a new one. An intent of the first attempt was never confirmed.
   */
  async function beginFor(stripe: Stripe, payment: StripePayment, methodOwner: string | undefined) {
    const customer = await customerOf(stripe, payment, methodOwner)
    try {
      return { customer, intent: await begin(stripe, payment, customer) }
    } catch (error) {
      const refusal = refusalOf(error)
      const isGone = refusal?.code === 'resource_missing' && refusal.param === 'customer'
      if (!isGone || methodOwner !== undefined) throw error
    }
    await needs.transaction((tx) =>
      forgetStripeCustomer(tx, proven(payment.customerId, 'a confirmed checkout has a customer'), customer),
    )
    const anew = await customerOf(stripe, { ...payment, stripeCustomer: null })
    return { customer: anew, intent: await begin(stripe, payment, anew, `${payment.id} anew`) }
  }

  /** The second call. Cancels the intent of a declined card, so that it accepts no other card. */
  async function confirm(
    stripe: Stripe,
    payment: StripePayment,
    intent: Intent,
    how: Stripe.PaymentIntentConfirmParams & { off_session?: boolean },
  ): Promise<Attempt> {
    const options = { idempotencyKey: `confirm ${payment.id}` }
    const shared = { ...how, use_stripe_sdk: true, expand: ['payment_method'] }
    const { off_session: _, setup_future_usage: __, ...setup } = shared
    try {
      const confirmed =
        intent.object === 'payment_intent'
          ? await stripe.paymentIntents.confirm(intent.id, shared, options)
          : await stripe.setupIntents.confirm(intent.id, setup as Stripe.SetupIntentConfirmParams, options) // the same token
      return (await outcomeOf(stripe, payment, confirmed)) ?? canceledOf(intent.id)
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal) throw error
      if (refusal.decline) {
        const ended = attemptOf(await end(stripe, intent), payment, isTest)
        return ended?.status === 'failed' || !ended ? declinedOf(refusal.decline, intent.id) : ended
      }
      if (refusal.param?.startsWith('confirmation_token')) throw new UnknownConfirmationToken()
      // The intent was already finished, or a concurrent call has canceled it.
      const standing = await outcomeOf(stripe, payment, await retrieve(stripe, intent))
      return standing ?? refused(payment, refusal)
    }
  }

  /** Stripe did nothing. Errors of keys or requests are for the operator, in the log. */
  function refused(payment: StripePayment, { code, message, isOurs, decline }: Refusal): Attempt {
    if (decline) return declinedOf(decline, undefined)
    if (code === 'amount_too_small' || code === 'amount_too_large') {
      // For example, below the minimum of the currency that Stripe converts to: not the operator's fault.
      log.warn({ payment: payment.id, code, reason: message }, 'Stripe refuses payments of this amount')
      return notTried(undefined, code, declineMessages[code])
    }
    log.error({ payment: payment.id, code, reason: message }, 'Stripe refused a payment')
    const reason = isOurs ? 'processor_unavailable' : code
    return notTried(undefined, reason, declineMessages.processor_unavailable)
  }

  async function look(paymentId: Id<'payment'>): Promise<Attempt | undefined> {
    const payment = await paymentOf(paymentId)
    const stripe = await client()
    const intent = await heard(stripe, payment)
    return intent && outcomeOf(stripe, payment, intent)
  }

  async function cancel(paymentId: Id<'payment'>): Promise<Attempt> {
    const payment = await paymentOf(paymentId)
    const stripe = await client()
    const isNoted = payment.processorReference !== null
    const intent = (await heard(stripe, payment)) ?? (isNoted ? undefined : await beginToEnd(stripe, payment))
    if (!intent) return canceledOf(undefined)
    await note(payment, intent)
    return attemptOf(await end(stripe, intent), payment, isTest) ?? { status: 'pending', reference: intent.id }
  }

  /** The state of a payment. Cancels a declined intent first, because its secret would allow another try. */
  async function outcomeOf(stripe: Stripe, payment: StripePayment, intent: Intent): Promise<Attempt | undefined> {
    const attempt = attemptOf(intent, payment, isTest)
    if (attempt?.status !== 'failed' || intent.status === 'canceled') return attempt
    const ended = attemptOf(await end(stripe, intent), payment, isTest)
    return ended?.status === 'succeeded' || ended?.status === 'pending' ? ended : attempt
  }

  /** Cancels an intent and returns its state; a finished one stays as it is. */
  async function end(stripe: Stripe, intent: Intent): Promise<Intent> {
    try {
      return intent.object === 'payment_intent'
        ? await stripe.paymentIntents.cancel(intent.id, { expand: ['payment_method'] })
        : await stripe.setupIntents.cancel(intent.id, { expand: ['payment_method'] })
    } catch (error) {
      if (!refusalOf(error)) throw error
      return retrieve(stripe, intent)
    }
  }

  const retrieve = (stripe: Stripe, { id, object }: Pick<Intent, 'id' | 'object'>): Promise<Intent> =>
    object === 'payment_intent'
      ? stripe.paymentIntents.retrieve(id, { expand: ['payment_method'] })
      : stripe.setupIntents.retrieve(id, { expand: ['payment_method'] })

  /**
   * The intent of a payment: by the stored id, else among its customer's newest. Undefined if Stripe does not know it
   * and no real money can be paid by it any more; until then throws.
   */
  async function heard(stripe: Stripe, payment: StripePayment): Promise<Intent | undefined> {
    const { processorReference: id, stripeCustomer: customer } = payment
    const object = payment.purpose === 'setup' ? 'setup_intent' : 'payment_intent'
    const isOver = payment.isTest || ageOf(payment) >= lostLimit
    if (id !== null) return unlessGone(retrieve(stripe, { id, object }), isOver)
    if (customer === null) return undefined
    const asked = { customer, limit: 100, expand: ['data.payment_method'] }
    const list = object === 'setup_intent' ? stripe.setupIntents.list(asked) : stripe.paymentIntents.list(asked)
    const look = async () => {
      let looked = 0
      // Either list yields its own kind of intent; the compiler does not join the two.
      for await (const intent of list as AsyncIterable<Intent>) {
        if (intent.metadata?.payment_id === payment.id) return intent
        looked += 1
        if (looked === lookLimit) break
      }
      return undefined
    }
    return unlessGone(look(), true) // an intent without a stored id was never confirmed
  }

  const ageOf = ({ createdAt }: StripePayment): number => clock.now().getTime() - createdAt.getTime()

  /** Creates the intent of a payment that Stripe does not know, to cancel it; undefined if none can begin any more. */
  async function beginToEnd(stripe: Stripe, payment: StripePayment): Promise<Intent | undefined> {
    const age = ageOf(payment)
    if (age > keyLife || !isSoldByStripe(payment.currency)) return undefined
    try {
      return await begin(stripe, payment, await customerOf(stripe, payment))
    } catch (error) {
      // Stripe repeats its own error under the same key for a day: no payment can begin by then.
      if (refusalOf(error) || age > beginningLimit) return undefined
      throw error
    }
  }

  /** The first call: creates the intent and takes no money. Uses the payment's row alone, so retries match. */
  async function begin(stripe: Stripe, payment: StripePayment, customer: string, key = payment.id): Promise<Intent> {
    const shared = { customer, payment_method_types: methodTypes, metadata: metadataOf(payment) }
    const options = { idempotencyKey: key }
    if (payment.purpose === 'setup') return stripe.setupIntents.create({ ...shared, usage: 'off_session' }, options)
    const { amount, currency } = payment
    return stripe.paymentIntents.create({ ...shared, amount: toStripe(amount, currency), currency }, options)
  }

  /** Stores Stripe's id of a payment; false if the payment is settled meanwhile and must not be confirmed. */
  const note = ({ id }: StripePayment, intent: Intent): Promise<boolean> =>
    needs.transaction((tx) => noteIntent(tx, id, intent.id))

  /** The customer's Stripe id, created before the first payment. A charged method's owner replaces it. */
  async function customerOf(stripe: Stripe, payment: StripePayment, methodOwner?: string): Promise<string> {
    const { customerId, organizationId, email, name, stripeCustomer } = payment
    const now = clock.now()
    if (methodOwner !== undefined && methodOwner !== stripeCustomer) {
      await needs.transaction((tx) =>
        adoptStripeCustomer(tx, proven(customerId, 'a kept method has a customer'), methodOwner, now),
      )
      return methodOwner
    }
    if (stripeCustomer !== null) return stripeCustomer
    const { id } = await stripe.customers.create(
      {
        ...(email && { email }),
        ...(name && { name }),
        metadata: { customer_id: customerId, organization_id: organizationId }, // set since the confirmation
      },
      { idempotencyKey: `customer ${payment.id}` },
    )
    return needs.transaction((tx) =>
      keepStripeCustomer(tx, proven(customerId, 'a confirmed checkout has a customer'), id, now),
    )
  }

  async function paymentOf(id: string): Promise<StripePayment> {
    const payment = await findStripePayment(db, id)
    if (!payment) throw new Error(`payment ${id} is not a Stripe payment`)
    return payment
  }

  return {
    name: 'stripe',
    isTest,
    callsPerSecond: settings.callsPerSecond,
    takesCurrency: isSoldByStripe,
    limitsIn: limitsAtStripe,
    browserSettings: { publishable_key: settings.publishableKey, payment_method_types: methodTypes.join() },
    findToken: (id) => findToken(client, id, { isTest, methodTypes, log }),
    charge,
    look,
    cancel,
    forget: (reference) => detachMethod(client, reference),
    refund: async ({ refundId, paymentReference, amount, currency, reason }) => {
      const stripe = await client()
      const known = refundReasons[reason]
      try {
        const refund = await stripe.refunds.create(
          {
            payment_intent: paymentReference,
            amount: toStripe(amount, currency),
            metadata: { refund_id: refundId },
            ...(known && { reason: known }),
          },
          { idempotencyKey: refundId },
        )
        return refundAttemptOf(refund)
      } catch (error) {
        const refusal = refusalOf(error)
        // Wrong keys are for the operator to fix and decide nothing about this refund.
        if (!refusal || refusal.isOurs) throw error
        const { code, message } = refusal
        return { status: 'failed', reference: undefined, reason: code, message }
      }
    },
    lookRefund: async ({ refundId, reference }) => {
      const stripe = await client()
      if (reference !== null) {
        const refund = await unlessGone(stripe.refunds.retrieve(reference), true)
        return refund && refundAttemptOf(refund)
      }
      const payment_intent = await findRefundedIntent(db, refundId)
      if (payment_intent === undefined) return undefined
      for await (const refund of stripe.refunds.list({ payment_intent, limit: 100 }))
        if (refund.metadata?.refund_id === refundId) return refundAttemptOf(refund)
      return undefined
    },
    lookForeignRefund: async (reference) => {
      const stripe = await client()
      const refund = await unlessGone(stripe.refunds.retrieve(reference, { expand: ['payment_intent'] }), true)
      const ourId = refund?.metadata?.refund_id
      const isKnown = ourId !== undefined && (await isOfProcessor(db, 'refund', ourId, 'stripe'))
      return refund && !isKnown ? ours(refund, foreignRefundOf(refund)) : undefined
    },
    lookDispute: async (reference) => {
      const stripe = await client()
      const dispute = await unlessGone(stripe.disputes.retrieve(reference, { expand: ['payment_intent'] }), true)
      return dispute && ours(dispute, disputeOf(dispute))
    },
  }

  /**
   * Accepts a dispute or refund only for the intent that made the payment: other systems on the same account may have
   * their own payments, or a copy of this database.
   */
  async function ours<Told extends { readonly paymentId: Id<'payment'> }>(
    { payment_intent }: { readonly payment_intent: string | Stripe.PaymentIntent | null },
    told: Told | undefined,
  ): Promise<Told | undefined> {
    const payment = told && (await findStripePayment(db, told.paymentId))
    const intent = typeof payment_intent === 'object' ? payment_intent : null
    if (!payment || !intent) return undefined
    if (intent.id === payment.processorReference && intent.livemode !== payment.isTest) return told
    log.error({ payment: payment.id, intent: intent.id }, 'A Stripe object names this payment but has another intent')
    return undefined
  }
}

/** Stripe's answer; undefined if Stripe does not know the object and `isBelieved` accepts that. */
async function unlessGone<T>(answer: Promise<T>, isBelieved: boolean): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (isBelieved && refusalOf(error)?.code === 'resource_missing') return undefined
    throw error
  }
}

/** For a checkout that began with another processor. */
const foreignCurrency: Refusal = {
  code: 'currency_not_supported',
  param: 'currency',
  decline: undefined,
  isOurs: true,
  message: 'Stripe takes no payments in this currency.',
}

/** The reasons that Stripe knows; it has none for the others. */
const refundReasons: Readonly<Record<string, 'duplicate' | 'fraudulent' | 'requested_by_customer'>> = {
  duplicate: 'duplicate',
  fraudulent: 'fraudulent',
  customer_request: 'requested_by_customer',
}

/** The metadata of a payment at Stripe, for the seller and for finding it. */
const metadataOf = ({ id, organizationId, checkoutId }: StripePayment): Record<string, string> => ({
  payment_id: id,
  organization_id: organizationId,
  ...(checkoutId !== null && { checkout_id: checkoutId }),
})
