import type { BillingClient, ClientError, InputIssue, Result } from '@tollgate/client'
import type { CheckoutPublic, CheckoutPublicConfirmed } from '@tollgate/contract/billing-types'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { billingErrorTexts, cardTexts, declineTexts } from '../../i18n/billing-error-text.ts'
import { useMessages, useText, useTollgateContext } from '../../provider.tsx'
import {
  amountIn,
  buyerIn,
  type Changes,
  controlOfIssue,
  memberOfIssue,
  type Problem,
  problemsIn,
  withoutRefused,
} from './checkout-values.ts'
import { amountText, formatMoney } from './money.ts'
import type { ProcessorHandle, ProcessorModule, Processors } from './processor-form.ts'
import { createUpdates, type Updates } from './updates.ts'

/**
 * Where a checkout stands for who looks at it. `confirming` is after the buyer has paid and before anybody knows how it
 * went; a reload finds it again, because the server says so.
 */
export type Phase = 'open' | 'paying' | 'confirming' | 'succeeded' | 'expired' | 'failed'

export type CheckoutOptions = {
  client: BillingClient
  clientSecret: string
  initial: CheckoutPublic
  /** Why the last attempt was declined: the processor's code. */
  declined?: string | undefined
  /** How checkouts are paid whose processor has a form of its own. */
  processors?: Processors | undefined
  /** Made-up data: nothing is asked of the server. */
  frozen?: boolean | undefined
  onConfirmed?: (() => void) | undefined
  onSuccess: (checkout: CheckoutPublic) => void
}

type Errors = Readonly<Record<string, string>>

/** A checkout with what its buyer does about it: changes one after the other, then the payment and how it ends. */
export function useCheckout(options: CheckoutOptions) {
  const { client, clientSecret, initial, frozen, onConfirmed, onSuccess } = options
  const { locale } = useTollgateContext()
  const say = useCheckoutTexts()
  const [checkout, setCheckout] = useState(initial)
  const [phase, showPhase] = useState<Phase>(phaseOf(initial))
  const [updating, setUpdating] = useState(false)
  const [errors, setErrors] = useState(
    (): Errors => (options.declined === undefined ? {} : { cardNumber: say.decline(options.declined) }),
  )
  const [alert, setAlert] = useState<string>()
  /** Whether this page has sent the payment: then the form stays as it is until everybody knows. */
  const [hasPaid, setHasPaid] = useState(false)
  // Counts what has gone wrong, so that the focus moves once for each.
  const [failures, setFailures] = useState(options.declined ? 1 : 0)
  /** How often others have changed what is to be paid: then the field of the amount begins anew, too. */
  const [termsShown, setTermsShown] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  /** The processor's own form, while it is shown. */
  const processorForm = useRef<ProcessorHandle>(null)
  const processors = useRef(options.processors)
  /** The same as `checkout` and `phase`, for what goes on while they change. */
  const latest = useRef(initial)
  const latestPhase = useRef(phase)

  function show(data: CheckoutPublic) {
    latest.current = data
    setCheckout(data)
  }

  function setPhase(next: Phase) {
    latestPhase.current = next
    showPhase(next)
  }

  function fail(found: Errors, text?: string) {
    setErrors(found)
    setAlert(text ?? (Object.keys(found).length > 1 ? say.code('RequestValidationError') : undefined))
    setFailures((count) => count + 1)
  }

  /** A refusal that is about the checkout as a whole. */
  async function refuse(error: ClientError) {
    if (error.code === 'ExpiredCheckoutError') return setPhase('expired')
    // Another tab has paid, or an answer was lost on its way: what the server says now counts.
    if (error.code === 'NotOpenCheckout' || error.statusText === 'Fetch error') {
      const { data } = await client.getClientCheckout({ clientSecret })
      if (data && data.status !== 'open') return take(data)
    }
    fail({}, say.refusal(error))
  }

  /** Takes over how the checkout stands after a payment. */
  function take(data: CheckoutPublic) {
    show(data)
    const next = phaseOf(data)
    const wasPaying = latestPhase.current === 'paying' || latestPhase.current === 'confirming'
    setPhase(next)
    if (next === 'succeeded') return onSuccess(data)
    if (next !== 'open' || !wasPaying) return
    setHasPaid(false)
    fail({ cardNumber: say.decline(data.paymentProcessorMetadata.decline_reason ?? '') })
  }

  const [updates] = useState<Updates<Changes>>(() =>
    createUpdates<Changes, CheckoutPublic>({
      send: (changes) => client.updateClientCheckout({ clientSecret, ...changes }),
      answered: show,
      refused: (error, changes) => {
        if (!error.issues) {
          void refuseRef.current(error)
          return undefined
        }
        showIssues(error.issues, changes)
        return withoutRefused(changes, new Set(error.issues.map(memberOfIssue)))
      },
      onBusy: setUpdating,
    }),
  )
  const refuseRef = useRef(refuse)
  refuseRef.current = refuse

  /** What somebody has left half filled in is told when they pay, not before; what was asked to be applied at once. */
  function showIssues(issues: readonly InputIssue[], changes: Changes) {
    const shown = issues.filter((issue) => told.has(memberOfIssue(issue)) && memberOfIssue(issue) in changes)
    const texts = say.issues(shown, latest.current)
    setErrors((before) => ({ ...before, ...texts }))
  }

  /** What was wrong with a control is no longer said, once somebody changes what it holds. */
  function forget(...controls: string[]) {
    setErrors((before) =>
      controls.some((name) => name in before)
        ? Object.fromEntries(Object.entries(before).filter(([name]) => !controls.includes(name)))
        : before,
    )
  }

  /** Changes what is bought, or what is known of the buyer. */
  function change(changes: Changes, when: 'soon' | 'now') {
    if (latestPhase.current !== 'open' || frozen) return
    updates.add(changes, when)
  }

  async function pay() {
    const target = form.current
    if (!target || latestPhase.current !== 'open') return
    const typed = new FormData(target)
    const missing = problemsIn(typed, latest.current, locale)
    // What the server has refused already is still wrong, as long as nobody has changed it.
    if (Object.keys(missing).length > 0)
      return fail({ ...(errors.taxId !== undefined && { taxId: errors.taxId }), ...say.problems(missing) })
    if (frozen) return

    setErrors({})
    setAlert(undefined)
    setPhase('paying')
    // Before anything else is waited for: wallets open only while the buyer's press is fresh.
    const isElsewhere = latest.current.isPaymentFormRequired && latest.current.processor !== 'sandbox'
    const fault = isElsewhere ? await (processorForm.current?.check() ?? { problem: 'unreachable' }) : undefined
    if (fault) return stop(() => fail({ cardNumber: say.card(fault.problem) }))
    const amount = amountIn(typed, latest.current, locale)
    if (amount !== undefined && amount !== latest.current.amount) updates.add({ amount }, 'now')
    await updates.settle()
    // What was waiting may have changed what has to be paid, or asked for.
    const filled = new FormData(target)
    const still = problemsIn(filled, latest.current, locale)
    if (Object.keys(still).length > 0) return stop(() => fail(say.problems(still)))

    let confirmationTokenId: string | undefined
    if (latest.current.isPaymentFormRequired && latest.current.processor !== 'sandbox') {
      const { name, email } = payerIn(filled, latest.current)
      const token = (await processorForm.current?.token({ name, email })) ?? { problem: 'unreachable' }
      if ('problem' in token) return stop(() => fail({ cardNumber: say.card(token.problem) }))
      confirmationTokenId = token.id
    } else if (latest.current.isPaymentFormRequired) {
      const token = await client.createSandboxConfirmationToken(cardIn(filled))
      if (token.error) return stop(() => failWith(token.error))
      confirmationTokenId = token.data.id
    }
    const { data, error }: Result<CheckoutPublicConfirmed> = await client.confirmClientCheckout({
      clientSecret,
      ...buyerIn(filled, latest.current, locale),
      // Another tab, or the seller, may have changed it since: nobody pays what they have not seen.
      productPriceId: latest.current.productPriceId,
      expectedTotalAmount: latest.current.totalAmount,
      ...(confirmationTokenId !== undefined && { confirmationTokenId }),
    })
    if (error) {
      if (error.code === 'PaymentError') return decline()
      const isNew = await seeNewTerms(error.issues ?? [])
      return stop(() => failWith(error, isNew ? say.totalChanged : undefined))
    }
    setHasPaid(true)
    show(data)
    setPhase('confirming')
    onConfirmed?.()
  }

  function stop(then: () => void) {
    setPhase('open')
    then()
  }

  /** Shows what is to be paid by now, where that is something else than was seen; false where it is not. */
  async function seeNewTerms(issues: readonly InputIssue[]): Promise<boolean> {
    const members = issues.map(memberOfIssue)
    // A price that was replaced is chosen anew with its product.
    const { data } = members.includes('productPriceId')
      ? await client.updateClientCheckout({ clientSecret, productId: latest.current.productId })
      : members.includes('expectedTotalAmount')
        ? await client.getClientCheckout({ clientSecret })
        : {}
    if (!data) return false
    show(data)
    setTermsShown((count) => count + 1)
    return true
  }

  /** With a text about the whole, what is wrong with the choice of the product is said by it. */
  function failWith(error: ClientError, text?: string) {
    if (!error.issues) return void refuse(error)
    const { productId, ...others } = say.issues(error.issues, latest.current)
    const found = text === undefined && productId !== undefined ? { productId, ...others } : others
    fail(found, text ?? (Object.keys(found).length === 0 ? say.refusal(error) : undefined))
  }

  /** Why, the checkout itself says: it is open again. */
  async function decline() {
    const { data } = await client.getClientCheckout({ clientSecret })
    if (data) return take(data)
    setPhase('open')
    fail({ cardNumber: say.decline('') })
  }

  const action = phase === 'confirming' ? actionOf(checkout) : undefined
  const [answeredAction, setAnsweredAction] = useState<string>()

  /** How the stand-in of 3-D Secure ends; the payment follows by itself. */
  async function answerAction(outcome: 'succeed' | 'fail') {
    if (action === undefined || frozen) return
    const { error } = await client.completeSandboxAction({ intentClientSecret: action, outcome })
    if (error && error.status !== 404) return fail({}, say.refusal(error))
    setAnsweredAction(action)
  }

  const [loadProcessor] = useState(() => async (): Promise<ProcessorModule> => {
    const load = processors.current?.stripe
    if (!load) throw new Error('this page cannot pay by the processor of the checkout')
    return load()
  })

  /** Lets the buyer's bank ask them; the payment follows by itself. Rejects where it could not. */
  const [confirmAction] = useState(() => async (clientSecret: string): Promise<void> => {
    const { confirmAction: confirm } = await loadProcessor()
    const publishableKey = latest.current.paymentProcessorMetadata.publishable_key ?? ''
    await confirm({ publishableKey, clientSecret, locale })
    setAnsweredAction(clientSecret)
  })

  const waits = phase === 'confirming' && !frozen && (action === undefined || action === answeredAction)
  const takeRef = useRef(take)
  takeRef.current = take
  // Asks how the payment went, less and less often, until it is known.
  useEffect(() => {
    if (!waits) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const look = async (attempt: number) => {
      const { data } = await client.getClientCheckout({ clientSecret })
      if (isOver) return
      // Only the newest of a page's questions is answered by a step forward.
      if (data && (data.status !== 'confirmed' || actionOf(data) !== answeredAction)) takeRef.current(data)
      timer = setTimeout(look, Math.min(400 * 1.4 ** attempt, 5000), attempt + 1)
    }
    void look(0)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [waits, answeredAction, client, clientSecret])

  useFocusOnFailure(form, failures)

  return {
    checkout,
    phase,
    updating,
    errors,
    alert,
    hasPaid,
    termsShown,
    form,
    change,
    forget,
    pay,
    /** What the buyer still has to confirm, if anything. */
    action: action === answeredAction ? undefined : action,
    answerAction,
    confirmAction,
    loadProcessor,
    processorForm,
    settle: updates.settle,
  }
}

export type CheckoutState = ReturnType<typeof useCheckout>

/** Members whose refusal is shown as soon as it comes. */
const told: ReadonlySet<string> = new Set(['amount', 'discountCode', 'customerTaxId', 'productId', 'customerEmail'])

const phaseOf = ({ status }: CheckoutPublic): Phase => (status === 'confirmed' ? 'confirming' : status)

/** The secret by which the buyer's browser answers, while the payment waits for them (CHK-14). */
function actionOf({ paymentProcessorMetadata: { intent_status, intent_client_secret } }: CheckoutPublic) {
  return intent_status === 'requires_action' ? intent_client_secret : undefined
}

function cardIn(form: FormData): { number: string; expiry: string; cvc: string } {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  return { number: text('cardNumber'), expiry: text('cardExpiry'), cvc: text('cardCode') }
}

/** Whose card it is: as the form says, or as is known already. */
function payerIn(form: FormData, { customerEmail, customerName }: CheckoutPublic) {
  const text = (name: string) => String(form.get(name) ?? '').trim() || null
  return { name: text('name') ?? customerName, email: text('email') ?? customerEmail }
}

/** The first field that is wrong, else the alert of the page. */
function useFocusOnFailure(form: RefObject<HTMLFormElement | null>, failures: number) {
  useEffect(() => {
    if (failures === 0) return
    // The amount stands beside the form, above it.
    const screen = form.current?.closest('[data-tg-screen]')
    const invalid = screen?.querySelector<HTMLElement>('[aria-invalid=true]')
    const alert = screen?.querySelector<HTMLElement>('[role=alert]')
    const problem = invalid ?? alert
    problem?.focus()
  }, [failures, form])
}

/** What a buyer reads of refusals, in the page's language. */
function useCheckoutTexts() {
  const { locale } = useTollgateContext()
  const texts = useMessages('billingErrors')
  const common = useMessages('errors')
  const t = useText()

  const own = (table: Readonly<Record<string, keyof typeof texts>>, code: string): string | undefined =>
    Object.hasOwn(table, code) ? t(texts[table[code]!]) : undefined
  const money = (amount: number, { currency }: CheckoutPublic): string => formatMoney(amount, currency, locale)
  const day = (date: string): string =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(date))
  const limit = (value: number | string | undefined, currency?: string): string | number => {
    if (typeof value === 'string') return day(value)
    return value !== undefined && currency !== undefined ? formatMoney(value, currency, locale) : (value ?? '')
  }

  function issue(control: string, { msg, type, loc }: InputIssue, checkout: CheckoutPublic): string {
    if (type === 'missing') return texts.required
    const price = checkout.productPrice.amountType === 'custom' ? checkout.productPrice : undefined
    switch (control) {
      case 'email':
        return texts.emailInvalid
      case 'amount':
        if (type === 'greater_than_equal' && price?.minimumAmount != null)
          return t(texts.amountTooSmall, { min: money(price.minimumAmount, checkout) })
        if (type === 'less_than_equal' && price?.maximumAmount != null)
          return t(texts.amountTooLarge, { max: money(price.maximumAmount, checkout) })
        return t(texts.amountInvalid, { example: amountText(1250, checkout.currency, locale) })
      case 'discountCode':
        return /redeemable/.test(msg) ? texts.discountUsedUp : texts.discountInvalid
      case 'taxId':
        return texts.taxIdInvalid
      case 'productId':
        return texts.archived
      case 'cardNumber':
        return loc[1] === 'confirmation_token_id' ? texts.cardAgain : texts.cardUnknown
      case 'cardExpiry':
        return texts.cardExpiryInvalid
      case 'cardCode':
        return texts.cardCodeInvalid
      case 'country':
      case 'state':
      case 'city':
      case 'postalCode':
      case 'line1':
      case 'line2':
        return texts.addressInvalid
      default:
        return texts.fieldInvalid
    }
  }

  return {
    totalChanged: texts.totalChanged,
    code: (code: string) => own(billingErrorTexts, code) ?? common.unexpected,
    decline: (reason: string) => own(declineTexts, reason) ?? texts.declined,
    card: (problem: string) =>
      problem === 'unreachable'
        ? common.offline
        : (own(cardTexts, problem) ?? own(declineTexts, problem) ?? texts.declined),
    refusal: ({ code = '', status, statusText, retryAfter, message }: ClientError): string => {
      if (status === 429)
        return retryAfter ? t(common.tooManyRequests, { count: retryAfter }) : common.tooManyRequestsSoon
      if (status === 503) return common.busy
      if (statusText === 'Fetch error') return common.offline
      return own(billingErrorTexts, code) ?? message ?? common.unexpected
    },
    problems: (found: Readonly<Record<string, Problem>>): Errors =>
      Object.fromEntries(
        Object.entries(found).map(([control, { text, count = 0, min, max, currency }]) => [
          control,
          t(texts[text], {
            count,
            min: limit(min, currency),
            max: limit(max, currency),
            example: currency === undefined ? '' : amountText(1250, currency, locale),
          }),
        ]),
      ),
    issues: (issues: readonly InputIssue[], checkout: CheckoutPublic): Errors =>
      Object.fromEntries(
        issues.flatMap((each) => {
          const control = controlOfIssue(each)
          return control === undefined ? [] : [[control, issue(control, each, checkout)]]
        }),
      ),
  }
}
