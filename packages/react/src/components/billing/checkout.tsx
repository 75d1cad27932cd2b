import { type BuyerClient, createBuyerClient } from '@tollgate/client'
import type { CheckoutPublic } from '@tollgate/contract/billing-types'
import { useEffect, useMemo, useState } from 'react'
import { Button } from '../../elements/button.tsx'
import { Skeleton } from '../../elements/status.tsx'
import { useMessages, useText } from '../../provider.tsx'
import { leaveFor } from '../leave.ts'
import { BillingAddress, Contact, Questions } from './checkout-buyer.tsx'
import { CheckoutClosed } from './checkout-closed.tsx'
import { Confirming, PayColumn, PayFrame } from './checkout-parts.tsx'
import { CardForm } from './checkout-payment.tsx'
import { ProcessorAction, ProcessorForm } from './checkout-processor.tsx'
import { Ticket } from './checkout-ticket.tsx'
import { useTotalSaid } from './checkout-totals.tsx'
import { usePayLabel } from './pay-label.ts'
import type { Processors } from './processor-form.ts'
import { SandboxAction } from './sandbox-action.tsx'
import { type CheckoutState, useCheckout } from './use-checkout.ts'

export type CheckoutProps = {
  /** The part of the checkout's address after `/checkout/`. */
  clientSecret: string
  /** The checkout that the server has read. Default: the component reads it. */
  checkout?: CheckoutPublic
  /** Tollgate's origin. Default: the page's own. */
  baseURL?: string
  /** The user of the browser's session. */
  signedInAs?: { name: string; email: string }
  /** The processor's code of the last decline. */
  declined?: string
  /** The country to preselect. Nothing is computed from it before the buyer changes something. */
  likelyCountry?: string
  /** Whether no sale of this server bears tax: the totals then do not mention it. */
  isUntaxed?: boolean
  /** The page's own address, where signing in to another account returns to. */
  back?: string
  /** Called when the buyer has sent the payment, before its outcome is known. */
  onConfirmed?: () => void
  /** Called when it is paid. Default: the browser opens the seller's success page. */
  onSuccess?: (checkout: CheckoutPublic) => void
  /** Adds a close button, for pages that show the checkout as an overlay. */
  onClose?: () => void
  /** The forms of processors that bring their own; each loads when it is needed. */
  processors?: Processors
  /** Fixture data: the component makes no requests. */
  frozen?: boolean
}

/**
 * A checkout, from the choice of the product to the payment. It needs only the checkout's secret; the buyer need not
 * be signed in.
 */
export function Checkout({ clientSecret, checkout: given, baseURL, ...rest }: CheckoutProps) {
  const client = useMemo(() => createBuyerClient(baseURL === undefined ? {} : { baseURL }), [baseURL])
  const [read, setRead] = useState(given)
  const [failure, setFailure] = useState<'expired' | 'unknown'>()
  const [attempt, setAttempt] = useState(0)
  const texts = useMessages('checkout')

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks once more
  useEffect(() => {
    if (read) return
    let isOver = false
    void client.getClientCheckout({ clientSecret }).then(({ data, error }) => {
      if (isOver) return
      if (data) setRead(data)
      else setFailure(error.code === 'ExpiredCheckoutError' ? 'expired' : 'unknown')
    })
    return () => {
      isOver = true
    }
  }, [client, clientSecret, read, attempt])

  if (read) return <Buying client={client} clientSecret={clientSecret} initial={read} {...rest} />
  if (failure === 'expired') return <CheckoutClosed status="expired" />
  return (
    <section data-tg="checkout" data-tg-screen="" aria-label={texts.title}>
      {failure ? (
        <div role="alert" data-tg="notice" data-tone="danger">
          {texts.loadFailed}{' '}
          <button
            type="button"
            data-tg="button"
            data-look="quiet"
            onClick={() => {
              setFailure(undefined)
              setAttempt(attempt + 1)
            }}
          >
            {texts.retry}
          </button>
        </div>
      ) : (
        <Skeleton rows={6} label={texts.loading} />
      )}
    </section>
  )
}

type BuyingProps = Omit<CheckoutProps, 'checkout' | 'baseURL'> & { client: BuyerClient; initial: CheckoutPublic }

function Buying({ signedInAs, back, onClose, onSuccess = goOn, ...options }: BuyingProps) {
  const texts = useMessages('checkout')
  const state = useCheckout({ ...options, onSuccess })
  const t = useText()
  const { checkout, phase } = state
  const { returnUrl } = checkout
  const said = useTotalSaid(checkout)
  if (phase === 'expired' || phase === 'failed')
    return <CheckoutClosed status={phase} seller={checkout.organization} back={checkout.returnUrl} />
  const waits = phase === 'confirming' || phase === 'succeeded'
  return (
    <div data-tg="checkout" data-tg-screen="">
      {onClose ? (
        <div data-tg="checkout-close">
          <Button onClick={onClose}>{texts.close}</Button>
        </div>
      ) : null}
      <div data-tg="checkout-side">
        {returnUrl && !onClose ? (
          <a data-tg="back" href={returnUrl}>
            {t(texts.backTo, { seller: checkout.organization.name })}
          </a>
        ) : null}
        <h1 data-tg="title">{texts.title}</h1>
        <Ticket state={state} />
      </div>
      <PayColumn alert={state.alert}>
        {waits && !state.hasPaid ? <Confirming /> : <PayForm state={state} signedInAs={signedInAs} back={back} />}
      </PayColumn>
      {checkout.processor === 'sandbox' ? <SandboxAction state={state} /> : <ProcessorAction state={state} />}
      <p data-tg="visually-hidden" aria-live="polite">
        {said}
      </p>
    </div>
  )
}

/** The seller's success page, or our receipt, with the checkout's id in its placeholder (CHK-19). */
const goOn = ({ id, successUrl }: CheckoutPublic): void => leaveFor(successUrl.replaceAll('{CHECKOUT_ID}', id))

function PayForm({
  state,
  signedInAs,
  back,
}: {
  state: CheckoutState
  signedInAs: CheckoutProps['signedInAs']
  back: string | undefined
}) {
  const label = usePayLabel(state.checkout)
  return (
    <PayFrame
      state={state}
      busy={state.phase !== 'open'}
      isGuessing={state.isGuessing}
      label={label}
      onEdit={(control) => {
        state.begin()
        state.forget(control)
      }}
      after={<Legal checkout={state.checkout} button={label} />}
    >
      <Contact state={state} signedInAs={signedInAs} back={back} />
      {state.checkout.isPaymentFormRequired ? <PaymentForm state={state} /> : null}
      <BillingAddress state={state} />
      <Questions state={state} />
    </PayFrame>
  )
}

const PaymentForm = ({ state }: { state: CheckoutState }) =>
  state.checkout.processor === 'sandbox' ? (
    <CardForm state={state} />
  ) : (
    <ProcessorForm state={state} legal={(button) => <Legal checkout={state.checkout} button={button} />} />
  )

function Legal({ checkout, button }: { checkout: CheckoutPublic; button: string }) {
  const texts = useMessages('checkout')
  const t = useText()
  const { isPaymentFormRequired, product, organization } = checkout
  const text = !isPaymentFormRequired
    ? texts.legalFree
    : product.recurringInterval === null
      ? texts.legalOnce
      : product.recurringInterval === 'month'
        ? texts.legalMonth
        : texts.legalYear
  return (
    <p data-tg="legal" suppressHydrationWarning>
      {t(text, { button, seller: organization.name })}
    </p>
  )
}
