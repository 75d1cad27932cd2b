import type { BuyerClient, ClientError, InputIssue, Result } from '@tollgate/client'
import type { CheckoutPublic, CheckoutPublicConfirmed } from '@tollgate/contract/billing-types'
import { useRef, useState } from 'react'
import { useTollgateContext } from '../../provider.tsx'
import { useBuyersAction } from './buyers-action.ts'
import { type Errors, useCheckoutTexts } from './checkout-texts.ts'
import {
  addressIn,
  amountIn,
  buyerIn,
  type Changes,
  isReplacedIn,
  memberOfIssue,
  needsAddress,
  problemsIn,
  withoutRefused,
} from './checkout-values.ts'
import { confirmationTokenOf, isPaidElsewhere } from './confirmation-token.ts'
import { useFocusOnFailure } from './focus-on-failure.ts'
import { useLikelyCountry } from './likely-country.ts'
import type { ProcessorHandle, Processors, WalletPayment } from './processor-form.ts'
import { createUpdates, type Updates } from './updates.ts'

/**
 * A checkout's phase for its viewer. `confirming` lasts from the payment until its outcome is known; a reload keeps
 * it, because the server reports it.
 */
export type Phase = 'open' | 'paying' | 'confirming' | 'succeeded' | 'expired' | 'failed'

export type CheckoutOptions = {
  client: BuyerClient
  clientSecret: string
  initial: CheckoutPublic
  /** The processor's code of the last decline. */
  declined?: string | undefined
  /** The country that the visitor's languages name. */
  likelyCountry?: string | undefined
  /** Whether no sale of this server bears tax. */
  isUntaxed?: boolean | undefined
  /** The forms of processors that bring their own. */
  processors?: Processors | undefined
  /** Fixture data: the component makes no requests. */
  frozen?: boolean | undefined
  onConfirmed?: (() => void) | undefined
  onSuccess: (checkout: CheckoutPublic) => void
}

/** A checkout with the buyer's actions: changes one after the other, then the payment and its outcome. */
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
  const [alert, setAlert] = useState<{ readonly text: string; readonly about?: readonly string[] }>()
  /** Whether this page sent the payment: the form then stays as it is until the outcome is known. */
  const [hasPaid, setHasPaid] = useState(false)
  // Counts failures, so that focus moves once for each.
  const [failures, setFailures] = useState(options.declined ? 1 : 0)
  /** Counts external changes of the amount: its field then resets. */
  const [termsShown, setTermsShown] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  /** The processor's form, while it is shown. */
  const processorForm = useRef<ProcessorHandle>(null)
  /** Whether the buyer has changed something in the form, or tried to pay. */
  const hasBegun = useRef(false)
  /** The current `checkout` and `phase`, for code that runs while they change. */
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

  function begin() {
    hasBegun.current = true
  }

  function fail(found: Errors, text?: string) {
    const about = Object.keys(found)
    setErrors((before) => ({ ...ofCode(before), ...found }))
    if (text !== undefined) setAlert({ text })
    else setAlert(about.length > 1 ? { text: say.code('RequestValidationError'), about } : undefined)
    setFailures((count) => count + 1)
  }

  /** A refusal of the checkout as a whole. */
  async function refuse(error: ClientError) {
    if (error.code === 'ExpiredCheckoutError') return setPhase('expired')
    // Another tab paid, or the answer was lost: the server's current state decides.
    if (error.code === 'NotOpenCheckout' || error.status >= 500) {
      const { data } = await client.getClientCheckout({ clientSecret })
      if (data && data.status !== 'open') return take(data)
    }
    fail({}, say.refusal(error))
  }

  /** Takes over the checkout's state after a payment. */
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

  /**
   * Errors of incomplete fields appear when the buyer pays; those of applied values appear at once, unless the buyer
   * has replaced the value meanwhile.
   */
  function showIssues(issues: readonly InputIssue[], changes: Changes) {
    const typed = form.current ? new FormData(form.current) : undefined
    const shown = issues.filter((issue) => {
      const member = memberOfIssue(issue)
      const isReplaced = typed && isReplacedIn(typed, member, changes, latest.current, locale)
      return told.has(member) && member in changes && !isReplaced
    })
    const texts = say.issues(shown, latest.current)
    setErrors((before) => ({ ...before, ...texts }))
  }

  /** A control's error disappears once its value changes, and the text about fields with the last of its errors. */
  function forget(...controls: string[]) {
    setAlert((before) => {
      if (!before?.about) return before
      const about = before.about.filter((name) => !controls.includes(name))
      return about.length === 0 ? undefined : { ...before, about }
    })
    setErrors((before) =>
      controls.some((name) => name in before)
        ? Object.fromEntries(Object.entries(before).filter(([name]) => !controls.includes(name)))
        : before,
    )
  }

  /** Changes the product or the buyer's details. */
  function change(changes: Changes, when: 'soon' | 'now') {
    if (latestPhase.current !== 'open' || frozen) return
    updates.add({ ...preselectedAddress(), ...changes }, when)
  }

  /**
   * The address in the form, while the server has none. The page preselects a likely country, which becomes the buyer's
   * with their first change of the form: the tax then appears before they pay.
   */
  function preselectedAddress(): Pick<Changes, 'customerBillingAddress'> {
    const isKnown = latest.current.customerBillingAddress !== null
    return isKnown || !hasBegun.current || !form.current ? {} : addressIn(new FormData(form.current))
  }

  async function pay() {
    const target = form.current
    if (!target || latestPhase.current !== 'open') return
    begin()
    const typed = new FormData(target)
    const missing = problemsIn(typed, latest.current, locale)
    // A value that the server refused stays wrong until it changes.
    if (Object.keys(missing).length > 0)
      return fail({ ...(errors.taxId !== undefined && { taxId: errors.taxId }), ...say.problems(missing) })
    if (frozen) return

    setErrors(ofCode)
    setAlert(undefined)
    setPhase('paying')
    // Before any other await: wallets open only directly after the press.
    const fault = isPaidElsewhere(latest.current)
      ? await (processorForm.current?.check() ?? { problem: 'unreachable' })
      : undefined
    if (fault) return stop(() => fail({ cardNumber: say.card(fault.problem) }))
    const { currency } = latest.current
    const amount = amountIn(typed, latest.current, locale)
    const late = {
      ...preselectedAddress(),
      ...(amount !== undefined && amount !== latest.current.amount && { amount }),
    }
    if (Object.keys(late).length > 0) updates.add(late, 'now')
    await updates.settle()
    // A preselected country brings a tax or a currency that the buyer has not seen.
    const isOther = latest.current.currency !== currency || latest.current.taxAmount
    if (late.customerBillingAddress && isOther) return stop(() => fail({}, say.totalChanged))
    // The pending changes may have changed the total or the required fields.
    const filled = new FormData(target)
    const still = problemsIn(filled, latest.current, locale)
    if (Object.keys(still).length > 0) return stop(() => fail(say.problems(still)))

    const token = await confirmationTokenOf(client, latest.current, filled, processorForm.current)
    if ('problem' in token) return stop(() => fail({ cardNumber: say.card(token.problem) }))
    if ('error' in token) return stop(() => failWith(token.error))
    await confirm(buyerIn(filled, latest.current, locale), token.id)
  }

  const wallet: WalletPayment = {
    mayPay: () => {
      const target = form.current
      if (!target || latestPhase.current !== 'open' || frozen) return false
      begin()
      const missing = Object.entries(problemsIn(new FormData(target), latest.current, locale))
      const asked = missing.filter(([name]) => !knownToWallets.has(name))
      if (asked.length > 0) fail(say.problems(Object.fromEntries(asked)))
      return asked.length === 0
    },
    pay: async ({ name, email, address }, makeToken) => {
      const filled = new FormData(form.current ?? undefined)
      const buyer: Changes = {
        ...(latest.current.customerId === null && { customerEmail: email }),
        customerName: name,
        ...(address && { customerBillingAddress: address }),
      }
      const amount = amountIn(filled, latest.current, locale)
      const seen = latest.current.totalAmount
      setErrors(ofCode)
      setAlert(undefined)
      setPhase('paying')
      updates.add({ ...buyer, ...(amount !== undefined && amount !== latest.current.amount && { amount }) }, 'now')
      await updates.settle()
      const failed = (then: () => void) => {
        stop(then)
        return false
      }
      // The wallet named the total before the address, which may bring a tax.
      if (latest.current.totalAmount !== seen) return failed(() => fail({}, say.totalChanged))
      const token = await makeToken()
      if ('problem' in token) return failed(() => fail({ cardNumber: say.card(token.problem) }))
      return confirm({ ...buyerIn(filled, latest.current, locale), ...buyer }, token.id)
    },
  }

  /** Sends the payment. The outcome follows later, except for a refusal; returns whether there is none. */
  async function confirm(buyer: Changes, confirmationTokenId: string | undefined): Promise<boolean> {
    const { data, error }: Result<CheckoutPublicConfirmed> = await client.confirmClientCheckout({
      clientSecret,
      ...buyer,
      // Another tab or the seller may have changed the total since: buyers pay only what they have seen.
      productPriceId: latest.current.productPriceId,
      expectedTotalAmount: latest.current.totalAmount,
      ...(confirmationTokenId !== undefined && { confirmationTokenId }),
      // The buyer has read that they pay now.
      ...(latest.current.trialRedeemed && { allowTrial: false }),
    })
    if (error) {
      if (error.code === 'PaymentError') await decline()
      else {
        const isNew = await seeNewTerms(error)
        stop(() => failWith(error, isNew ? say.totalChanged : undefined))
      }
      return false
    }
    setHasPaid(true)
    show(data)
    setPhase('confirming')
    onConfirmed?.()
    return true
  }

  function stop(then: () => void) {
    setPhase('open')
    then()
  }

  /** Shows the current total if it differs from the one that was seen; returns false if it does not. */
  async function seeNewTerms({ code, issues = [] }: ClientError): Promise<boolean> {
    const members = issues.map(memberOfIssue)
    // Without a trial that was used before, the buyer pays now. A replaced price is chosen again with its product.
    const { data } =
      code === 'TrialAlreadyRedeemed'
        ? await client.updateClientCheckout({ clientSecret, allowTrial: false })
        : members.includes('productPriceId')
          ? await client.updateClientCheckout({ clientSecret, productId: latest.current.productId })
          : members.includes('expectedTotalAmount')
            ? await client.getClientCheckout({ clientSecret })
            : {}
    if (!data) return false
    show(data)
    setTermsShown((count) => count + 1)
    return true
  }

  /** The text about the whole checkout covers errors of the product choice. */
  function failWith(error: ClientError, text?: string) {
    if (!error.issues) return void refuse(error)
    const { productId, ...others } = say.issues(error.issues, latest.current)
    const found = text === undefined && productId !== undefined ? { productId, ...others } : others
    fail(found, text ?? (Object.keys(found).length === 0 ? say.refusal(error) : undefined))
  }

  /** The reopened checkout states the reason itself. */
  async function decline() {
    const { data } = await client.getClientCheckout({ clientSecret })
    if (data) return take(data)
    setPhase('open')
    fail({ cardNumber: say.decline('') })
  }

  const after = useBuyersAction({
    client,
    read: () => client.getClientCheckout({ clientSecret }),
    hasOutcome: ({ status }) => status !== 'confirmed',
    locale,
    frozen,
    processors: options.processors,
    checkout,
    latest,
    isConfirming: phase === 'confirming',
    refused: (error) => fail({}, say.refusal(error)),
    take,
  })
  useFocusOnFailure(form, failures)
  const guess = useLikelyCountry(form, options.likelyCountry)

  return {
    checkout,
    phase,
    updating,
    errors,
    alert: alert?.text,
    isUntaxed: options.isUntaxed ?? false,
    likelyCountry: guess.country,
    /** Whether another country than the likely one may yet be preselected. */
    isGuessing: !guess.isFinal && checkout.customerBillingAddress === null && needsAddress(checkout),
    begin,
    hasPaid,
    termsShown,
    form,
    change,
    forget,
    pay,
    wallet,
    ...after,
    processorForm,
    settle: updates.settle,
  }
}

export type CheckoutState = ReturnType<typeof useCheckout>

/** Members whose errors appear at once. */
const told: ReadonlySet<string> = new Set([
  'amount',
  'currency',
  'discountCode',
  'customerTaxId',
  'productId',
  'customerEmail',
])

/** The controls whose values a wallet brings. */
const knownToWallets: ReadonlySet<string> = new Set([
  'email',
  'name',
  'country',
  'line1',
  'line2',
  'city',
  'state',
  'postalCode',
])

const phaseOf = ({ status }: CheckoutPublic): Phase => (status === 'confirmed' ? 'confirming' : status)

/** The error of the discount code, which belongs to the code alone and stays until it changes. */
const ofCode = ({ discountCode }: Errors): Errors => (discountCode === undefined ? {} : { discountCode })
