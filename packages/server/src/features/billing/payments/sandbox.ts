import { after, minutes, seconds } from '../../../foundation/clock.ts'
import type { Config } from '../../../foundation/config/config.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { newBillingSecret, newUuid } from '../../../foundation/ids.ts'
import { enqueue } from '../../../foundation/jobs.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { sha256 } from '../../../foundation/token.ts'
import { adviceOf } from './decline-advice.ts'
import {
  type Attempt,
  type Charge,
  type MethodDetails,
  type Processor,
  type ProcessorEvent,
  type ProcessorReport,
  type RefundAttempt,
  UnknownConfirmationToken,
} from './processor.ts'
import {
  consumeToken,
  decideIntent,
  findIntent,
  findIntentBySecret,
  findToken,
  insertIntent,
  insertToken,
  type SandboxIntentRow,
} from './sandbox.repository.ts'
import { cardOf, type DeclineReason, declineMessages, type SandboxCardName, sandboxCards } from './sandbox-cards.ts'
import { createSandboxRefunds } from './sandbox-refunds.ts'

/**
 * A simulated payment processor (interface, section 6). It behaves like an external service: it has its own
 * transactions, repeats its answer to a repeated request, and sends events at their own time. It takes no money.
 */
export type Sandbox = Processor & {
  /** Whether it takes new payments; existing ones can be looked up in any case. */
  readonly isOn: boolean
  /** Keeps a card for one payment and returns its token. Of the number, only the last four digits are kept. */
  createConfirmationToken(card: SandboxCardName, expiry: CardExpiry): Promise<string>
  /**
   * The buyer's answer to the simulated 3-D Secure page; returns the intent's state, undefined for an unknown secret.
   */
  completeAction(clientSecret: string, outcome: 'succeed' | 'fail'): Promise<'succeeded' | 'failed' | undefined>
  /** Simulates a refund from the processor's dashboard: this server learns of it by the event. */
  refundThere(paymentId: Id<'payment'>, amount: number, currency: string): Promise<RefundAttempt>
  /** Records the simulated bank's decision and returns the dispute's state; undefined for an unknown dispute. */
  decideDispute(reference: string, outcome: 'won' | 'lost'): Promise<'won' | 'lost' | undefined>
}

export type CardExpiry = { readonly month: number; readonly year: number }
type Card = { readonly name: SandboxCardName; readonly expiry: CardExpiry }
type SandboxNeeds = Pick<Context, 'db' | 'transaction' | 'clock' | 'secrets'>

const tokenLife = minutes(60)
const sealPurpose = 'sandbox intent'

/** How its events arrive, by the configuration; in production it is off unless configured. */
function settingsOf(config: Config): { events: 'once' | 'twice' | 'late' | 'never'; eventDelay: number } | false {
  const given = config.billing === false ? false : config.billing.processors.sandbox
  // With real payments, the sandbox would give goods away: it needs an explicit setting.
  const isMeant = given !== undefined || (config.mode === 'development' && config.stripe === undefined)
  if (given === false || !isMeant) return false
  return typeof given === 'object' ? given : { events: 'once', eventDelay: 0 }
}

export function createSandbox(config: Config, needs: SandboxNeeds): Sandbox {
  const { db, clock, secrets } = needs
  const settings = settingsOf(config)

  /** A job of its own delivers each event, so that it may come before the answer, after it, twice, or never. */
  async function tell(tx: Tx, about: ProcessorEvent, at: Date): Promise<void> {
    if (settings === false || settings.events === 'never') return
    const runAt = settings.events === 'late' ? after(at, seconds(settings.eventDelay)) : at
    const payload = JSON.stringify({ name: 'sandbox', ...about } satisfies ProcessorReport)
    for (let copy = 0; copy < (settings.events === 'twice' ? 2 : 1); copy += 1)
      await enqueue(tx, clock.now(), { kind: 'processor-event', payload, runAt })
  }

  const refunds = createSandboxRefunds(needs, tell)

  /** Queues the event of a decided payment, and opens a dispute if the card's owner disputes. */
  async function tellDecision(tx: Tx, intent: SandboxIntentRow): Promise<void> {
    await tell(tx, { paymentId: intent.id }, clock.now())
    if (intent.status === 'succeeded' && intent.purpose === 'charge' && cardOf(intent.card).isDisputed)
      // written by `charge`
      await refunds.openDispute(tx, intent)
  }

  /** The state of an intent, as its call answered or would have answered. */
  function attemptOf(intent: SandboxIntentRow): Attempt {
    const { reference, status, amount, currency } = intent
    const { method, methodReference, fingerprint }: Content = JSON.parse(intent.content) // written by `charge`
    if (status === 'succeeded')
      return {
        status,
        reference,
        amount,
        currency,
        method: proven(method, 'a payment that succeeded has its method'),
        methodReference,
        fingerprint,
      }
    if (status === 'requires_action') return { status, reference, clientSecret: clientSecretOf(intent) }
    return failed(intent.declineReason as DeclineReason, reference, method) // written here
  }

  /** Undefined if the SECRET that sealed it is no longer configured: the intent can still be answered or canceled. */
  function clientSecretOf({ sealedClientSecret }: SandboxIntentRow): string | undefined {
    try {
      return secrets.open(proven(sealedClientSecret, 'an intent that waits has a secret'), sealPurpose)
    } catch {
      return undefined
    }
  }

  async function charge(asked: Charge): Promise<Attempt> {
    const before = await findIntent(db, asked.paymentId)
    if (before) return attemptOf(before)
    if (settings === false) return failed('processor_unavailable', undefined, undefined)
    const secret = `sandbox_secret_${newBillingSecret()}`
    const sealedSecret = secrets.seal(secret, sealPurpose)
    const now = clock.now()
    const made = await needs.transaction(async (tx) => {
      const card = await cardFor(tx, asked.source, now)
      if (!card) return undefined
      const { asksOwner, declines, declinesOffSession } = cardOf(card.name)
      const declineReason = asked.offSession ? declinesOffSession : declines
      const waits = asksOwner === true && !asked.offSession
      const status = declineReason ? 'failed' : waits ? 'requires_action' : 'succeeded'
      const content: Content = {
        method: detailsOf(card),
        ...(asked.keepMethod && { methodReference: referenceOf(card), ...fingerprintFor(asked.source, card) }),
      }
      const intent = await insertIntent(tx, {
        id: asked.paymentId,
        reference: `sandbox_intent_${newUuid()}`,
        card: card.name,
        status,
        purpose: asked.purpose,
        amount: asked.amount,
        currency: asked.currency,
        declineReason: declineReason ?? null,
        ...(waits && { clientSecretHash: sha256(secret), sealedClientSecret: sealedSecret }),
        content: JSON.stringify(content),
        createdAt: now,
        updatedAt: now,
      })
      if (intent && !waits) await tellDecision(tx, intent)
      return intent
    })
    // A concurrent call for the same payment has made the intent, and may have used the token up.
    const intent = made ?? (await findIntent(db, asked.paymentId))
    if (!intent) throw new UnknownConfirmationToken()
    return attemptOf(intent)
  }

  async function cancel(paymentId: Id<'payment'>): Promise<Attempt> {
    const now = clock.now()
    await needs.transaction(async (tx) => {
      // Inserts a failed intent, so that a charge still on its way fails too.
      const made = await insertIntent(tx, {
        id: paymentId,
        reference: `sandbox_intent_${newUuid()}`,
        card: 'none',
        status: 'failed',
        purpose: 'charge',
        amount: 0,
        currency: '',
        declineReason: 'canceled',
        content: JSON.stringify({} satisfies Content),
        createdAt: now,
        updatedAt: now,
      })
      if (!made) await decideIntent(tx, paymentId, { status: 'failed', declineReason: 'canceled', now })
    })
    return attemptOf(proven(await findIntent(db, paymentId), 'it was made above'))
  }

  return {
    name: 'sandbox',
    isTest: true,
    takesCurrency: () => true,
    limitsIn: () => ({ least: 1, most: Number.MAX_SAFE_INTEGER }),
    browserSettings: {},
    isOn: settings !== false,
    findToken: async (token) => {
      if (knownCard(token)) return { fingerprint: undefined }
      const card = await findToken(db, sha256(token), clock.now())
      return card && { fingerprint: fingerprintOf(card.card, card.expMonth, card.expYear) }
    },
    charge,
    cancel,
    look: async (paymentId) => {
      const intent = await findIntent(db, paymentId)
      return intent && attemptOf(intent)
    },
    // It keeps nothing of a card: the reference says all of it.
    forget: async () => {},
    refund: refunds.refund,
    refundThere: refunds.refundThere,
    lookRefund: refunds.lookRefund,
    lookForeignRefund: refunds.lookForeignRefund,
    lookDispute: refunds.lookDispute,
    decideDispute: refunds.decideDispute,
    createConfirmationToken: async (name, expiry) => {
      const token = `ctoken_sandbox_${newBillingSecret()}`
      const now = clock.now()
      const { brand, number } = cardOf(name)
      await needs.transaction((tx) =>
        insertToken(tx, {
          id: sha256(token),
          card: name,
          brand,
          lastFour: number.slice(-4),
          expMonth: expiry.month,
          expYear: expiry.year,
          expiresAt: after(now, tokenLife),
          createdAt: now,
        }),
      )
      return token
    },
    completeAction: async (clientSecret, outcome) => {
      const intent = await findIntentBySecret(db, sha256(clientSecret))
      if (!intent) return undefined
      const succeeds = outcome === 'succeed'
      const decision = {
        status: succeeds ? ('succeeded' as const) : ('failed' as const),
        declineReason: succeeds ? null : 'authentication_failed',
        now: clock.now(),
      }
      const decided = await needs.transaction(async (tx) => {
        const row = await decideIntent(tx, intent.id, decision)
        if (row) await tellDecision(tx, row)
        return row
      })
      // Already decided, by the buyer or by its expiry: a repeated call returns its state.
      const row = decided ?? proven(await findIntent(db, intent.id), 'it was made above')
      return row.status as 'succeeded' | 'failed' // an intent that is decided
    },
  }

  /** The card of a confirmation token, or of a kept method. */
  async function cardFor(tx: Tx, source: Charge['source'], now: Date): Promise<Card | undefined> {
    if ('methodReference' in source) return cardOfReference(source.methodReference)
    const known = knownCard(source.confirmationToken)
    if (known) return { name: known, expiry: { month: 12, year: now.getUTCFullYear() + 3 } }
    const token = await consumeToken(tx, sha256(source.confirmationToken), now)
    return token && isCard(token.card)
      ? { name: token.card, expiry: { month: token.expMonth, year: token.expYear } }
      : undefined
  }
}

/** The card details that an intent stores. */
type Content = { readonly method?: MethodDetails; readonly methodReference?: string; readonly fingerprint?: string }

/** The name and the expiry stand for the number, so that tests have many cards. A documented token is no one's card. */
const fingerprintOf = (name: string, month: number, year: number): string => `${name} ${month} ${year}`

const fingerprintFor = (source: Charge['source'], { name, expiry }: Card): Pick<Content, 'fingerprint'> =>
  'confirmationToken' in source && !knownCard(source.confirmationToken)
    ? { fingerprint: fingerprintOf(name, expiry.month, expiry.year) }
    : {}

/** The card of a documented token that can be used any number of times. */
function knownCard(token: string): SandboxCardName | undefined {
  const name = /^ctoken_sandbox_([a-z_]+)$/.exec(token)?.[1]
  return name !== undefined && isCard(name) ? name : undefined
}

const isCard = (name: string): name is SandboxCardName => Object.hasOwn(sandboxCards, name)

const failed = (
  reason: DeclineReason,
  reference: string | undefined,
  method: MethodDetails | undefined,
): Attempt & { status: 'failed' } => ({
  status: 'failed',
  reference,
  reason,
  message: declineMessages[reason],
  advice: adviceOf(reason),
  method,
})

function detailsOf({ name, expiry }: Card): MethodDetails {
  const { brand, number } = cardOf(name)
  return { type: 'card', brand, lastFour: number.slice(-4), expMonth: expiry.month, expYear: expiry.year }
}

/** A kept card's reference is its name, because a test card has no other secret. */
const referenceOf = ({ name, expiry }: Card): string => `sandbox_method:${name}:${expiry.month}:${expiry.year}`

function cardOfReference(reference: string): Card | undefined {
  const [kind, name = '', month, year] = reference.split(':')
  if (kind !== 'sandbox_method' || !isCard(name)) return undefined
  return { name, expiry: { month: Number(month), year: Number(year) } }
}
