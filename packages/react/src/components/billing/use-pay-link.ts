import type { BuyerClient, ClientError } from '@tollgate/client'
import type { PayLink as Due } from '@tollgate/contract/billing-types'
import { useEffect, useRef, useState } from 'react'
import { useTollgateContext } from '../../provider.tsx'
import { useBuyersAction } from './buyers-action.ts'
import { type Errors, useCheckoutTexts } from './checkout-texts.ts'
import { missingIn } from './checkout-values.ts'
import { confirmationTokenOf, isPaidElsewhere } from './confirmation-token.ts'
import { useFocusOnFailure } from './focus-on-failure.ts'
import type { ProcessorHandle, Processors, WalletPayment } from './processor-form.ts'

export type PayLinkOptions = {
  client: BuyerClient
  payToken: string
  initial: Due
  processors?: Processors | undefined
  /** Fixture data: the component makes no requests. */
  frozen?: boolean | undefined
}

/** How the customer pays: by the card that the subscription is paid with, or by another one. */
type Way = 'saved' | 'card'

/** What a pay link asks for, and how its customer pays it. */
export function usePayLink({ client, payToken, initial, processors, frozen }: PayLinkOptions) {
  const { locale } = useTollgateContext()
  const say = useCheckoutTexts()
  const [due, setDue] = useState(initial)
  const [phase, setPhase] = useState<Due['status'] | 'paying'>(initial.status)
  const [way, setWay] = useState<Way>(initial.savedMethod ? 'saved' : 'card')
  const [errors, setErrors] = useState<Errors>({})
  const [alert, setAlert] = useState(() => declineOf(initial))
  /** Whether this page sent the payment: the form then stays as it is until the outcome is known. */
  const [hasPaid, setHasPaid] = useState(false)
  // Counts failures, so that focus moves once for each.
  const [failures, setFailures] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  const processorForm = useRef<ProcessorHandle>(null)
  const latest = useRef(initial)
  const sale = saleOf(due)

  function declineOf({ status, paymentProcessorMetadata: { decline_reason: reason } }: Due): string | undefined {
    return status === 'open' && reason !== undefined ? say.decline(reason) : undefined
  }

  function fail(found: Errors, text?: string) {
    setErrors(found)
    setAlert(text)
    setPhase('open')
    setHasPaid(false)
    setFailures((count) => count + 1)
  }

  /** Takes over what the server says of the payment. */
  function take(data: Due) {
    latest.current = data
    setDue(data)
    if (data.status === 'open') fail({}, declineOf(data))
    else setPhase(data.status)
  }

  async function refuse(error: ClientError) {
    if (error.issues) {
      const found = say.issues(error.issues)
      return fail(found, Object.keys(found).length === 0 ? say.refusal(error) : undefined)
    }
    // The link's current state says why it was declined, or that it has been paid in another tab.
    const { data } = await client.getPayLink({ payToken })
    if (data && (data.status !== 'open' || error.code === 'PaymentError')) return take(data)
    fail({}, say.refusal(error))
  }

  /** Pays by a token of a new card, or without one by the saved card. Returns whether it is not refused. */
  async function confirm(confirmationTokenId: string | undefined): Promise<boolean> {
    const { data, error } = await client.payByLink({
      payToken,
      ...(confirmationTokenId !== undefined && { confirmationTokenId }),
    })
    if (error) {
      await refuse(error)
      return false
    }
    setHasPaid(true)
    take(data)
    return true
  }

  function begin() {
    setErrors({})
    setAlert(undefined)
    setPhase('paying')
  }

  async function pay() {
    const target = form.current
    if (!target || phase !== 'open') return
    if (way === 'saved') {
      if (frozen) return
      begin()
      await confirm(undefined)
      return
    }
    const typed = new FormData(target)
    const missing = missingIn(typed)
    if (Object.keys(missing).length > 0) return fail(say.problems(missing))
    if (frozen) return
    begin()
    const fault = isPaidElsewhere(sale)
      ? await (processorForm.current?.check() ?? { problem: 'unreachable' })
      : undefined
    if (fault) return fail({ cardNumber: say.card(fault.problem) })
    const token = await confirmationTokenOf(client, sale, typed, processorForm.current)
    if ('problem' in token) return fail({ cardNumber: say.card(token.problem) })
    if ('error' in token) return refuse(token.error)
    await confirm(token.id)
  }

  const wallet: WalletPayment = {
    mayPay: () => phase === 'open' && !frozen,
    pay: async (_, makeToken) => {
      begin()
      const token = await makeToken()
      if ('id' in token) return confirm(token.id)
      fail({ cardNumber: say.card(token.problem) })
      return false
    },
  }

  /** Another way to pay; a payment that waits for its customer ends with the next one. */
  function choose(next: Way) {
    setWay(next)
    setErrors({})
    setAlert(undefined)
    setPhase('open')
    setHasPaid(false)
  }

  const after = useBuyersAction({
    client,
    read: () => client.getPayLink({ payToken }),
    hasOutcome: ({ status }) => status !== 'pending',
    locale,
    frozen,
    processors,
    checkout: due,
    latest,
    isConfirming: phase === 'pending',
    refused: (error) => fail({}, say.refusal(error)),
    take,
  })
  useFocusOnFailure(form, failures)
  useFocusOnChoice(form, way)

  return {
    due,
    sale,
    phase,
    way,
    choose,
    errors,
    alert,
    hasPaid,
    form,
    forget: (...controls: string[]) =>
      setErrors((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !controls.includes(name)))),
    pay,
    wallet,
    processorForm,
    ...after,
  }
}

export type PayLinkState = ReturnType<typeof usePayLink>

/** The payment as the forms of cards see it. Its card is kept, for what the subscription charges later. */
const saleOf = (due: Due) => ({
  ...due,
  totalAmount: due.dueAmount,
  isPaymentRequired: due.purpose === 'payment',
  isPaymentFormRequired: true,
  isBusinessCustomer: false,
  product: { isRecurring: true },
})

/** The pressed button is gone with the former way, so the focus moves to the new one. */
function useFocusOnChoice(form: { readonly current: HTMLFormElement | null }, way: Way) {
  const shown = useRef(way)
  useEffect(() => {
    if (shown.current !== way) form.current?.querySelector<HTMLElement>('input, [type=submit]')?.focus()
    shown.current = way
  }, [form, way])
}
