import type { BillingClient, ClientError } from '@tollgate/client'
import type { CheckoutPublic } from '@tollgate/contract/billing-types'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { ProcessorModule, Processors } from './processor-form.ts'

type Given = {
  client: BillingClient
  clientSecret: string
  locale: string
  /** Made-up data: nothing is asked of the server. */
  frozen: boolean | undefined
  processors: Processors | undefined
  checkout: CheckoutPublic
  /** The same, for what goes on while it changes. */
  latest: RefObject<CheckoutPublic>
  /** Whether a payment is under way whose end nobody knows yet. */
  isConfirming: boolean
  refused: (error: ClientError) => void
  /** Takes over how the checkout stands by now. */
  take: (checkout: CheckoutPublic) => void
}

/**
 * What follows once the buyer has paid: some have to answer their bank first, and then, or at once, the checkout is looked at
 * until it is known how the payment went.
 */
export function useBuyersAction(given: Given) {
  const { client, clientSecret, locale, frozen, checkout, latest, isConfirming, refused, take } = given
  const processors = useRef(given.processors)
  const action = isConfirming ? actionOf(checkout) : undefined
  const [answered, setAnswered] = useState<string>()
  const isWaiting = isConfirming && !frozen && (action === undefined || action === answered)
  useOutcome({ client, clientSecret, isWaiting, answered, take })

  /** How the stand-in of 3-D Secure ends; the payment follows by itself. */
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

  /** Lets the buyer's bank ask them; the payment follows by itself. Rejects where it could not. */
  const [confirmAction] = useState(() => async (clientSecret: string): Promise<void> => {
    const { confirmAction: confirm } = await loadProcessor()
    const publishableKey = latest.current.paymentProcessorMetadata.publishable_key ?? ''
    await confirm({ publishableKey, clientSecret, locale })
    setAnswered(clientSecret)
  })

  return {
    /** What the buyer still has to confirm, if anything. */
    action: action === answered ? undefined : action,
    answerAction,
    confirmAction,
    loadProcessor,
  }
}

type Waiting = Pick<Given, 'client' | 'clientSecret' | 'take'> & {
  isWaiting: boolean
  /** What the buyer has answered last. */
  answered: string | undefined
}

/** Asks how the payment went, less and less often, until it is known. */
function useOutcome({ client, clientSecret, isWaiting, answered, take }: Waiting): void {
  const takeRef = useRef(take)
  takeRef.current = take
  useEffect(() => {
    if (!isWaiting) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const look = async (attempt: number) => {
      const { data } = await client.getClientCheckout({ clientSecret })
      if (isOver) return
      // Only the newest of a page's questions is answered by a step forward.
      if (data && (data.status !== 'confirmed' || actionOf(data) !== answered)) takeRef.current(data)
      timer = setTimeout(look, Math.min(400 * 1.4 ** attempt, 5000), attempt + 1)
    }
    void look(0)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [isWaiting, answered, client, clientSecret])
}

/** The secret by which the buyer's browser answers, while the payment waits for them (CHK-14). */
function actionOf({ paymentProcessorMetadata: { intent_status, intent_client_secret } }: CheckoutPublic) {
  return intent_status === 'requires_action' ? intent_client_secret : undefined
}
