import { NativeSelect } from '@mantine/core'
import type { BillingBody, Subscription } from '@tollgate/contract/billing-types'
import { useState } from 'react'
import { useSeller } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { FieldError } from '../../parts/field-errors.ts'
import { CallError } from '../../queries/answer.ts'
import { asChoice, useRecurringProducts } from './choices.ts'
import { QuantityField, quantityIn } from './quantity-field.tsx'
import { QuotePanel, useQuote } from './quote-panel.tsx'
import { changed } from './subscription-refusals.ts'
import { subscriptionsWords } from './subscriptions.texts.ts'

const words = subscriptionsWords.change

type Behavior = NonNullable<BillingBody<'updateSubscription'>['prorationBehavior']>

const behaviors = Object.entries(words.behaviors).map(([value, label]) => ({ value, label }))
const isBehavior = (text: string): text is Behavior => Object.hasOwn(words.behaviors, text)

type Props = { subscription: Subscription; opened: boolean; onClose: () => void }

/** Changes the product or the quantity of a subscription. What it costs stands below the choices, and the change costs exactly that. */
export function ChangePlanDialog({ subscription, ...frame }: Props) {
  const { billing } = useSeller()
  const { id, productId: current, quantity: before } = subscription
  const [productId, setProduct] = useState('')
  const [quantityText, setQuantity] = useState(String(before))
  const [behavior, setBehavior] = useState<Behavior>('invoice')
  const [paymentUrl, setPaymentUrl] = useState<string>()
  const products = useRecurringProducts(frame.opened)
    .filter((product) => product.id !== current)
    .map(asChoice)
  const isFixed = subscription.prices.some(({ amountType }) => amountType === 'fixed')
  const quantity = quantityIn(quantityText)
  const change = {
    ...(productId !== '' && { productId }),
    ...(quantity !== undefined && quantity !== before && { quantity }),
    prorationBehavior: behavior,
  }
  const isChange = quantity !== undefined && (productId !== '' || quantity !== before)
  const preview = useQuote(id, isChange ? change : undefined, frame.opened)
  const quote = isChange ? preview.data : undefined

  function check() {
    if (quantity === undefined) throw new FieldError('quantity', words.quantityWrong)
    if (!isChange) throw new FieldError('product_id', words.productMissing)
  }

  async function apply() {
    check()
    if (!quote) throw preview.error ?? new Error(words.loading)
    setPaymentUrl(undefined)
    try {
      await changed(billing.updateSubscription({ id, ...change, quoteId: quote.id }))
    } catch (error) {
      if (error instanceof CallError) setPaymentUrl(error.paymentUrl)
      throw error
    }
    return behavior === 'next_period' ? words.planned : words.done
  }

  return (
    <ActionDialog {...frame} title={words.title} text={words.text} submit={words.submit} run={apply} check={check}>
      {(errorOf) => (
        <>
          {paymentUrl === undefined ? null : <PaymentLink url={paymentUrl} />}
          <NativeSelect
            name="product_id"
            label={subscriptionsWords.product}
            data={[{ value: '', label: words.choose }, ...products]}
            value={productId}
            error={errorOf('product_id')}
            onChange={(event) => setProduct(event.currentTarget.value)}
            data-autofocus
          />
          {isFixed ? <QuantityField value={quantityText} onChange={setQuantity} error={errorOf('quantity')} /> : null}
          <NativeSelect
            name="proration_behavior"
            label={words.when}
            data={behaviors}
            value={behavior}
            error={errorOf('proration_behavior')}
            onChange={({ currentTarget: { value } }) => {
              if (isBehavior(value)) setBehavior(value)
            }}
          />
          {isChange ? <QuotePanel preview={preview} subscription={subscription} /> : null}
        </>
      )}
    </ActionDialog>
  )
}

/** The link by which the customer authenticates the payment; the change applies once they have paid (SUB-21). */
function PaymentLink({ url }: { url: string }) {
  return (
    <div className="notice" data-tone="warn" role="status">
      <span className="grow">
        {words.needsCustomer} <Copyable text={url} what={words.paymentLink} />
      </span>
    </div>
  )
}
