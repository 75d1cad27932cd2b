import { after, minutes, seconds } from '../../clock.ts'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { newBillingSecret, newUuid } from '../../ids.ts'
import { enqueue } from '../../jobs.ts'
import { sha256 } from '../../token.ts'
import {
  type Attempt,
  type Charge,
  type MethodDetails,
  type Processor,
  type ProcessorEvent,
  type RefundAttempt,
  type ToldByProcessor,
  UnknownConfirmationToken,
} from './processor.ts'
import {
  consumeToken,
  decideIntent,
  findIntent,
  findIntentBySecret,
  hasToken,
  insertIntent,
  insertToken,
  type SandboxIntentRow,
} from './sandbox.repository.ts'
import { cardOf, type DeclineReason, declineMessages, type SandboxCardName, sandboxCards } from './sandbox-cards.ts'
import { createSandboxRefunds } from './sandbox-refunds.ts'

/**
 * The stand-in of a payment processor (interface, section 6). It behaves as a service elsewhere would: with transactions of
 * its own, an answer that is given again to whoever asks twice, and events that come when they come. It takes no money.
 */
export type Sandbox = Processor & {
  /** Whether it takes new payments here; what it has taken it still tells. */
  readonly isOn: boolean
  /** Keeps a card for one payment. The token is told once; its number is not kept beyond the last four digits. */
  createConfirmationToken(card: SandboxCardName, expiry: CardExpiry): Promise<string>
  /** The buyer's answer to the stand-in of 3-D Secure: how the intent stands then; nothing for an unknown secret. */
  completeAction(clientSecret: string, outcome: 'succeed' | 'fail'): Promise<'succeeded' | 'failed' | undefined>
  /** Gives money back as somebody would by the processor's own pages: we hear of it by the event. */
  refundThere(paymentId: string, amount: number, currency: string): Promise<RefundAttempt>
  /** The decision of the stand-in of a bank about a dispute: how it stands then; nothing for an unknown one. */
  decideDispute(reference: string, outcome: 'won' | 'lost'): Promise<'won' | 'lost' | undefined>
}

export type CardExpiry = { readonly month: number; readonly year: number }
type Card = { readonly name: SandboxCardName; readonly expiry: CardExpiry }
type SandboxNeeds = Pick<Context, 'db' | 'transaction' | 'clock' | 'secrets'>

const tokenLife = minutes(60)
const sealPurpose = 'sandbox intent'

/** How its events arrive, by the configuration; off in production unless it is named there. */
function settingsOf(config: Config): { events: 'once' | 'twice' | 'late' | 'never'; eventDelay: number } | false {
  const given = config.billing === false ? false : config.billing.processors.sandbox
  // Where real money is taken nothing is to be had without it, unless somebody means it.
  const isMeant = given !== undefined || (config.mode === 'development' && config.stripe === undefined)
  if (given === false || !isMeant) return false
  return typeof given === 'object' ? given : { events: 'once', eventDelay: 0 }
}

export function createSandbox(config: Config, needs: SandboxNeeds): Sandbox {
  const { db, clock, secrets } = needs
  const settings = settingsOf(config)

  /** An event is told by a job of its own, so that it may come before the answer, after it, twice, or never. */
  async function tell(tx: Tx, about: ProcessorEvent, at: Date): Promise<void> {
    if (settings === false || settings.events === 'never') return
    const runAt = settings.events === 'late' ? after(at, seconds(settings.eventDelay)) : at
    const payload = JSON.stringify({ name: 'sandbox', ...about } satisfies ToldByProcessor)
    for (let copy = 0; copy < (settings.events === 'twice' ? 2 : 1); copy += 1)
      await enqueue(tx, clock.now(), { kind: 'processor-event', payload, runAt })
  }

  const refunds = createSandboxRefunds(needs, tell)

  /** Says that a payment has been decided, and lets a card's owner dispute it who does. */
  async function tellDecision(tx: Tx, intent: SandboxIntentRow): Promise<void> {
    await tell(tx, { paymentId: intent.id }, clock.now())
    if (
      intent.status === 'succeeded' &&
      intent.purpose === 'charge' &&
      cardOf(intent.card as SandboxCardName).isDisputed
    )
      // written by `charge`
      await refunds.openDispute(tx, intent)
  }

  /** How an intent stands, as it was or would have been answered. */
  function attemptOf(intent: SandboxIntentRow): Attempt {
    const { reference, status, amount, currency } = intent
    const { method, methodReference } = JSON.parse(intent.content) as Content // written by `charge`
    if (status === 'succeeded') return { status, reference, amount, currency, method: method!, methodReference }
    if (status === 'requires_action') return { status, reference, clientSecret: clientSecretOf(intent) }
    return failed(intent.declineReason as DeclineReason, reference, method) // written here
  }

  /** Nothing where it was sealed under a SECRET that is configured no more: the intent still can be answered, or given up. */
  function clientSecretOf({ sealedClientSecret }: SandboxIntentRow): string | undefined {
    try {
      return secrets.open(sealedClientSecret!, sealPurpose) // there is one where a buyer is waited for
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
        ...(asked.keepMethod && { methodReference: referenceOf(card) }),
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
    // The same payment at the same moment has made the intent, and may have used the token up.
    const intent = made ?? (await findIntent(db, asked.paymentId))
    if (!intent) throw new UnknownConfirmationToken()
    return attemptOf(intent)
  }

  async function cancel(paymentId: string): Promise<Attempt> {
    const now = clock.now()
    await needs.transaction(async (tx) => {
      // An intent that has failed already keeps a charge that is still on its way from being made.
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
    return attemptOf((await findIntent(db, paymentId))!) // made above, if it was not there
  }

  return {
    name: 'sandbox',
    isTest: true,
    takesCurrency: () => true,
    limitsIn: () => ({ least: 1, most: Number.MAX_SAFE_INTEGER }),
    browserSettings: {},
    isOn: settings !== false,
    knowsToken: async (token) => knownCard(token) !== undefined || hasToken(db, sha256(token), clock.now()),
    charge,
    cancel,
    look: async (paymentId) => {
      const intent = await findIntent(db, paymentId)
      return intent && attemptOf(intent)
    },
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
      // Decided before, by this buyer or by the end of its time: whoever asks again is told how it stands.
      const row = decided ?? (await findIntent(db, intent.id))!
      return row.status as 'succeeded' | 'failed'
    },
  }

  /** The card of a confirmation token, or of a method that was kept. */
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

/** What an intent remembers of its card. */
type Content = { readonly method?: MethodDetails; readonly methodReference?: string }

/** The card of a token that stands in the documentation and can be used as often as anybody likes. */
function knownCard(token: string): SandboxCardName | undefined {
  const name = /^ctoken_sandbox_([a-z_]+)$/.exec(token)?.[1]
  return name !== undefined && isCard(name) ? name : undefined
}

const isCard = (name: string): name is SandboxCardName => Object.hasOwn(sandboxCards, name)

const failed = (
  reason: DeclineReason,
  reference: string | undefined,
  method: MethodDetails | undefined,
): Attempt & { status: 'failed' } => ({ status: 'failed', reference, reason, message: declineMessages[reason], method })

function detailsOf({ name, expiry }: Card): MethodDetails {
  const { brand, number } = cardOf(name)
  return { type: 'card', brand, lastFour: number.slice(-4), expMonth: expiry.month, expYear: expiry.year }
}

/** A kept card names itself: all there is to know of a test card. */
const referenceOf = ({ name, expiry }: Card): string => `sandbox_method:${name}:${expiry.month}:${expiry.year}`

function cardOfReference(reference: string): Card | undefined {
  const [kind, name = '', month, year] = reference.split(':')
  if (kind !== 'sandbox_method' || !isCard(name)) return undefined
  return { name, expiry: { month: Number(month), year: Number(year) } }
}
