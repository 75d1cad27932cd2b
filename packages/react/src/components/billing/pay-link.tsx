import { createBuyerClient } from '@tollgate/client'
import { cardBrandName } from '@tollgate/contract/billing'
import type { PayLink as Due } from '@tollgate/contract/billing-types'
import { useEffect, useMemo, useRef } from 'react'
import { Button, ButtonLink } from '../../elements/button.tsx'
import { GateMark } from '../../elements/gate-mark.tsx'
import type { Messages } from '../../i18n/messages.ts'
import { useMessages, useText } from '../../provider.tsx'
import { Confirming, FieldGroup, PayColumn, PayFrame } from './checkout-parts.tsx'
import { CardForm } from './checkout-payment.tsx'
import { ProcessorAction, ProcessorForm } from './checkout-processor.tsx'
import { DueLines, DueTicket } from './due-ticket.tsx'
import { usePriceTexts } from './price-text.ts'
import type { Processors } from './processor-form.ts'
import { SandboxAction } from './sandbox-action.tsx'
import { type PayLinkState, usePayLink } from './use-pay-link.ts'

export type PayLinkProps = {
  /** The part of the link's address after `/pay/`. */
  payToken: string
  /** What the link asks for, as the server has read it. */
  due: Due
  /** Tollgate's origin. Default: the page's own. */
  baseURL?: string
  /** The forms of processors that bring their own; each loads when it is needed. */
  processors?: Processors
  /** Fixture data: the component makes no requests. */
  frozen?: boolean
}

/** The page of a pay link: the customer pays an order that is due, confirms the payment of a change, or saves another card. */
export function PayLink({ due: initial, baseURL, ...rest }: PayLinkProps) {
  const client = useMemo(() => createBuyerClient(baseURL === undefined ? {} : { baseURL }), [baseURL])
  const state = usePayLink({ client, initial, ...rest })
  const { phase } = state
  return phase === 'paid' || phase === 'void' ? <Settled state={state} status={phase} /> : <Paying state={state} />
}

/** Nothing more is asked of the customer. */
function Settled({ state: { due, hasPaid }, status }: { state: PayLinkState; status: 'paid' | 'void' }) {
  const texts = useMessages('payLink')
  const checkout = useMessages('checkout')
  const t = useText()
  const { money } = usePriceTexts()
  const heading = useRef<HTMLHeadingElement>(null)
  const { organization: seller, description: product, dueAmount, currency } = due
  const amount = money(dueAmount, currency)
  const isPaid = due.purpose === 'payment' && status === 'paid'
  const said = settledTexts(texts, due, status)

  // The form, where the focus was, is gone.
  useEffect(() => {
    if (hasPaid) heading.current?.focus()
  }, [hasPaid])

  return (
    <article data-tg="receipt" data-tg-screen="" aria-labelledby="tg-title">
      <div data-tg="receipt-head">
        <GateMark open={status === 'paid'} />
        <h1 ref={heading} id="tg-title" data-tg="title" tabIndex={-1}>
          {said.title}
        </h1>
        <p data-tg="lead" suppressHydrationWarning>
          {t(said.text, { seller: seller.name, product, amount })}
        </p>
        {isPaid ? <p data-tg="lead">{due.dueAt === null ? texts.paidNext : texts.invoicePaidNext}</p> : null}
      </div>
      {isPaid ? (
        <section data-tg="ticket" data-test={due.isTest || undefined} aria-label={checkout.summary}>
          {due.isTest ? <p data-tg="test-mode">{checkout.testMode}</p> : null}
          <DueLines due={due} label={texts.paid} />
        </section>
      ) : null}
      <div data-tg="receipt-actions">
        {seller.website ? (
          <ButtonLink href={seller.website}>{t(checkout.backTo, { seller: seller.name })}</ButtonLink>
        ) : null}
        {seller.email ? (
          <ButtonLink href={`mailto:${seller.email}`}>{t(checkout.writeTo, { seller: seller.name })}</ButtonLink>
        ) : null}
      </div>
    </article>
  )
}

function settledTexts(texts: Messages['payLink'], { purpose }: Due, status: 'paid' | 'void') {
  if (purpose === 'card')
    return status === 'paid'
      ? { title: texts.cardDoneTitle, text: texts.cardDoneText }
      : { title: texts.cardVoidTitle, text: texts.cardVoidText }
  return status === 'paid'
    ? { title: texts.paidTitle, text: texts.paidText }
    : { title: texts.voidTitle, text: texts.voidText }
}

/** What a press of the button agrees to. An invoice that is due takes its amount once, and keeps no card. */
function legalOf(texts: Messages['payLink'], { purpose, dueAt }: Due): string {
  if (purpose === 'card') return texts.cardLegal
  return dueAt === null ? texts.legal : texts.legalOnce
}

function Paying({ state }: { state: PayLinkState }) {
  const texts = useMessages('payLink')
  const { due, phase } = state
  return (
    <div data-tg="checkout" data-tg-screen="">
      <div data-tg="checkout-side">
        <h1 data-tg="title">{due.purpose === 'card' ? texts.cardTitle : texts.title}</h1>
        <DueTicket due={due} />
      </div>
      <PayColumn alert={state.alert}>
        {phase === 'pending' && !state.hasPaid ? <Confirming /> : <PayForm key={state.way} state={state} />}
        {state.action !== undefined && state.way === 'saved' ? (
          <Button look="quiet" onClick={() => state.choose('card')}>
            {texts.otherCard}
          </Button>
        ) : null}
      </PayColumn>
      {due.processor === 'sandbox' ? <SandboxAction state={state} /> : <ProcessorAction state={state} />}
    </div>
  )
}

function PayForm({ state }: { state: PayLinkState }) {
  const texts = useMessages('payLink')
  const checkout = useMessages('checkout')
  const t = useText()
  const { money } = usePriceTexts()
  const { due, way, phase } = state
  const busy = phase !== 'open'
  const amount = money(due.dueAmount, due.currency)
  const card = due.savedMethod && cardText(due.savedMethod)
  const isSaved = way === 'saved'
  const isCard = due.purpose === 'card'
  const pay = isCard ? texts.cardSubmit : t(checkout.pay, { amount })
  const label = isSaved && card ? t(texts.confirmWith, { card }) : pay
  const legal = (button: string) => (
    <p data-tg="legal" suppressHydrationWarning>
      {t(legalOf(texts, due), { button, amount, seller: due.organization.name })}
    </p>
  )
  return (
    <PayFrame
      state={state}
      busy={busy}
      label={label}
      onEdit={state.forget}
      other={
        card && !busy ? (
          <Button wide look="quiet" onClick={() => state.choose(isSaved ? 'card' : 'saved')}>
            {isSaved ? texts.otherCard : t(texts.useSaved, { card })}
          </Button>
        ) : null
      }
      after={legal(label)}
    >
      {isSaved ? (
        <FieldGroup id="tg-payment" title={texts.savedCard}>
          <p data-tg="saved-card">{card}</p>
        </FieldGroup>
      ) : due.processor === 'sandbox' ? (
        <CardForm state={{ ...state, checkout: state.sale }} />
      ) : (
        <ProcessorForm state={{ ...state, checkout: state.sale }} legal={legal} />
      )}
    </PayFrame>
  )
}

/** A saved card, as its owner knows it. */
const cardText = ({ brand, last4 }: NonNullable<Due['savedMethod']>): string => `${cardBrandName(brand)} •••• ${last4}`
