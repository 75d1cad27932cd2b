import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { orderName } from '@tollgate/contract/billing'
import type { Order } from '@tollgate/contract/billing-types'
import { useState } from 'react'
import { useSeller } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { Fact } from '../../parts/facts.tsx'
import { FieldError } from '../../parts/field-errors.ts'
import { textOf } from '../../parts/form.ts'
import { amountField, amountIn, moneyText } from '../../parts/money.tsx'
import { Status } from '../../parts/status.tsx'
import { answerOf, CallError } from '../../queries/answer.ts'
import { effectOf, mostToRefund, type Refundable, type RefundEffect } from './refund-effect.ts'
import { refundsWords } from './refunds.texts.ts'

const words = refundsWords.dialog

type Reason = keyof typeof refundsWords.reasons

const reasons = Object.entries(refundsWords.reasons).map(([value, label]) => ({ value, label }))
const isReason = (text: string): text is Reason => Object.hasOwn(refundsWords.reasons, text)

type Props = { order: Order; left: Refundable; opened: boolean; onClose: () => void }

/** Refunds an order; the resulting amounts appear below the fields first. */
export function RefundDialog({ order, left, ...frame }: Props) {
  const { billing } = useSeller()
  const { id, currency, subscriptionId } = order
  const most = mostToRefund(left)
  const [given, setGiven] = useState(() => amountField(most, currency))
  const effect = effectOf(order, left, amountIn(given, currency))

  function amountOf(form: FormData): number {
    const amount = amountIn(textOf(form, 'amount'), currency)
    if (amount === undefined || amount < 1) throw new FieldError('amount', words.amountWrong)
    if (amount > most) throw new FieldError('amount', words.amountHigh(moneyText(most, currency)))
    return amount
  }

  async function refund(form: FormData) {
    const amount = amountOf(form)
    const reason = textOf(form, 'reason')
    const body = {
      orderId: id,
      amount,
      reason: isReason(reason) ? reason : 'other',
      comment: textOf(form, 'comment') || null,
      revokeBenefits: form.get('revoke_benefits') === 'on',
    } as const
    const made = await toldApart(answerOf(billing.createRefund(body)))
    // An order with several payments has a refund of each; the answer is one of them.
    const total = moneyText(effectOf(order, left, amount)?.total ?? made.amount + made.taxAmount, currency)
    return made.status === 'pending' ? words.pending(total) : words.succeeded(total)
  }

  return (
    <ActionDialog
      {...frame}
      title={words.title(orderName(order))}
      text={words.text}
      submit={effect ? words.submit(moneyText(effect.total, currency)) : words.submitNothing}
      danger
      run={refund}
      check={amountOf}
    >
      {(errorOf) => (
        <>
          <TextInput
            name="amount"
            label={order.taxAmount === 0 || left.amount === 0 ? words.amount : words.amountBeforeTax}
            description={(order.taxAmount === 0 || left.amount === 0 ? words.most : words.mostWithTax)(
              moneyText(most, currency),
            )}
            leftSection={currency.toUpperCase()}
            leftSectionWidth={52}
            inputMode="decimal"
            autoComplete="off"
            value={given}
            error={errorOf('amount')}
            onChange={(event) => setGiven(event.currentTarget.value)}
            data-autofocus
          />
          <NativeSelect
            name="reason"
            label={refundsWords.columns.reason}
            data={reasons}
            defaultValue="customer_request"
            error={errorOf('reason')}
          />
          <Textarea
            name="comment"
            label={words.comment}
            description={words.commentHint}
            rows={2}
            maxLength={2000}
            error={errorOf('comment')}
          />
          {subscriptionId ? (
            <p className="quiet">{words.access}</p>
          ) : (
            <Checkbox name="revoke_benefits" label={words.revoke} error={errorOf('revoke_benefits')} />
          )}
          {effect ? <Effect effect={effect} currency={currency} /> : null}
        </>
      )}
    </ActionDialog>
  )
}

/** Tells where to check when a refund's outcome is unknown. */
async function toldApart<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call
  } catch (error) {
    if (error instanceof CallError && error.isUnsure) throw new Error(words.unsure, { cause: error })
    throw error
  }
}

const Effect = ({ effect, currency }: { effect: RefundEffect; currency: string }) => (
  <section aria-label={words.effect} className="panel" aria-live="polite">
    <dl className="facts amounts">
      {effect.taxAmount === 0 ? null : (
        <>
          <Fact label={words.backAmount}>{moneyText(effect.amount, currency)}</Fact>
          <Fact label={words.backTax}>{moneyText(effect.taxAmount, currency)}</Fact>
        </>
      )}
      <Fact label={words.backTotal}>
        <strong>{moneyText(effect.total, currency)}</strong>
      </Fact>
      <Fact label={words.becomes}>
        <Status value={effect.status} />
      </Fact>
    </dl>
  </section>
)
