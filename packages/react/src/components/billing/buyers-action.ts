import type { BuyerClient, ClientError, Result } from '@tollgate/client'
import type { CheckoutPublic } from '@tollgate/contract/billing-types'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { ProcessorModule, Processors } from './processor-form.ts'

/** A purchase, as far as its payment is concerned. */
type Purchase = Pick<CheckoutPublic, 'paymentProcessorMetadata'>

type Given<Paid extends Purchase> = {
  client: BuyerClient
  /** Reads the purchase again. */
  read: () => Promise<Result<Paid>>
  /** Whether the payment has an outcome. */
  hasOutcome: (purchase: Paid) => boolean
  locale: string
  /** Fixture data: the component makes no requests. */
  frozen: boolean | undefined
  processors: Processors | undefined
  checkout: Paid
  /** The purchase, for code that runs while it changes. */
  latest: RefObject<Paid>
  /** Whether a payment's outcome is still unknown. */
  isConfirming: boolean
  refused: (error: ClientError) => void
  /** Takes over the purchase's current state. */
  take: (purchase: Paid) => void
}

/**
 * Runs after the buyer has paid. Some buyers must answer their bank first. Then the purchase is polled until the
 * payment's outcome is known.
 */
export function useBuyersAction<Paid extends Purchase>(given: Given<Paid>) {
  const { client, read, hasOutcome, locale, frozen, checkout, latest, isConfirming, refused, take } = given
  const processors = useRef(given.processors)
  const action = isConfirming ? actionOf(checkout) : undefined
  const [answered, setAnswered] = useState<string>()
  const isWaiting = isConfirming && !frozen && (action === undefined || action === answered)
  useOutcome({ read, hasOutcome, isWaiting, answered, take })

  /** Ends the stand-in for 3-D Secure; the payment follows by itself. */
  async function answerAction(outcome: 'succeed' | 'fail') {
    if (action === undefined || frozen) return
    const { error } = await client.completeSandboxAction({ intentClientSecret: action, outcome })
    if (error && error.status !== 404) return refused(error)
    setAnswered(action)
  }

  const [loadProcessor] = useState(() => async (): Promise<ProcessorModule> => {
    const load = processors.current?.stripe
    if (!load) throw new Error('this page cannot pay by the processor of the checkout')
    return load()
  })

  /** Lets the bank challenge the buyer; the payment follows by itself. Rejects if the challenge cannot open. */
  const [confirmAction] = useState(() => async (clientSecret: string): Promise<void> => {
    const { confirmAction: confirm } = await loadProcessor()
    const publishableKey = latest.current.paymentProcessorMetadata.publishable_key ?? ''
    await confirm({ publishableKey, clientSecret, locale })
    setAnswered(clientSecret)
  })

  return {
    /** The action that the buyer must still take, if any. */
    action: action === answered ? undefined : action,
    answerAction,
    confirmAction,
    loadProcessor,
  }
}

type Waiting<Paid extends Purchase> = Pick<Given<Paid>, 'read' | 'hasOutcome' | 'take'> & {
  isWaiting: boolean
  /** The buyer's last answer. */
  answered: string | undefined
}

/** Polls the payment, less and less often, until its outcome is known. */
function useOutcome<Paid extends Purchase>({ isWaiting, answered, ...given }: Waiting<Paid>): void {
  const latest = useRef(given)
  latest.current = given
  useEffect(() => {
    if (!isWaiting) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const look = async (attempt: number) => {
      const { read, hasOutcome } = latest.current
      const { data } = await read()
      if (isOver) return
      // Only the newest poll of a page may change the phase.
      if (data && (hasOutcome(data) || actionOf(data) !== answered)) latest.current.take(data)
      timer = setTimeout(look, Math.min(400 * 1.4 ** attempt, 5000), attempt + 1)
    }
    void look(0)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [isWaiting, answered])
}

/** The secret with which the buyer's browser answers while the payment waits (CHK-14). */
function actionOf({ paymentProcessorMetadata: { intent_status, intent_client_secret } }: Purchase) {
  return intent_status === 'requires_action' ? intent_client_secret : undefined
}
