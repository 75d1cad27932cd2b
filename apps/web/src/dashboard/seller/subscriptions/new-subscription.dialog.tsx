import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { BillingBody, Product } from '@tollgate/contract/billing-types'
import { type ReactNode, useState } from 'react'
import { useSeller } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { FieldError } from '../../parts/field-errors.ts'
import { amountIn } from '../../parts/money.tsx'
import { CallError } from '../../queries/answer.ts'
import { itemQuery, listQuery } from '../../queries/billing.ts'
import { asChoice, useDiscountChoices, useRecurringProducts } from './choices.ts'
import { CollectionFields, collectedBy, hasTerms, usualCollection } from './collection-fields.tsx'
import { QuantityField, quantityIn } from './quantity-field.tsx'
import { QuotePanel } from './quote-panel.tsx'
import { changed } from './subscription-refusals.ts'
import { subscriptionsWords } from './subscriptions.texts.ts'

const words = subscriptionsWords.creation

type Props = { customerId?: string; opened: boolean; onClose: () => void }

type Start = BillingBody<'previewSubscription'>

/** Begins a subscription without a checkout: its first order is shown as the invoice will look, and costs exactly that. */
export function NewSubscriptionDialog({ customerId: given, ...frame }: Props) {
  const { billing, slug } = useSeller()
  const navigate = useNavigate()
  const [customerId, setCustomer] = useState(given ?? '')
  const [productId, setProduct] = useState('')
  const [amount, setAmount] = useState('')
  const [quantityText, setQuantity] = useState('1')
  const [trial, setTrial] = useState<Trial>({ kind: 'product', days: '' })
  const [discountId, setDiscount] = useState('')
  const [collection, setCollection] = useState(usualCollection)
  const [paymentMethodId, setMethod] = useState('')
  const [paymentUrl, setPaymentUrl] = useState<string>()
  const products = useRecurringProducts(frame.opened)
  const discounts = useDiscountChoices(frame.opened)
  const product = products.find(({ id }) => id === productId)
  const custom = product && customPriceOf(product)
  const chosen = custom && amountIn(amount, custom.priceCurrency)
  const isFixed = product?.prices.some(({ amountType }) => amountType === 'fixed') ?? false
  const quantity = isFixed ? quantityIn(quantityText) : 1
  const isComplete =
    customerId !== '' &&
    product !== undefined &&
    (!custom || chosen !== undefined) &&
    quantity !== undefined &&
    hasTerms(collection)
  const isByCard = collection.kind === 'charge_automatically'
  const start: Start = {
    customerId,
    productId,
    ...(custom && { amount: chosen ?? null }),
    ...(quantity !== undefined && quantity > 1 && { quantity }),
    ...trialOf(trial),
    ...(discountId && { discountId }),
    ...collectedBy(collection),
    ...(isByCard && paymentMethodId && { paymentMethodId }),
  }
  const preview = useQuery({
    ...itemQuery(['subscription-start', JSON.stringify(start)], (options) =>
      billing.previewSubscription(start, options),
    ),
    enabled: frame.opened && isComplete,
    retry: false,
    meta: { isQuote: true },
    staleTime: 0,
  })
  const order = preview.data?.order

  function check() {
    if (customerId === '') throw new FieldError('customer_id', words.customerMissing)
    if (product === undefined) throw new FieldError('product_id', subscriptionsWords.change.productMissing)
    if (quantity === undefined) throw new FieldError('quantity', subscriptionsWords.change.quantityWrong)
    if (!hasTerms(collection)) throw new FieldError('net_terms_days', words.termsWrong)
    if (custom && chosen === undefined) throw new FieldError('amount', words.amountWrong)
  }

  async function begin() {
    check()
    if (!preview.data) throw preview.error ?? new Error(subscriptionsWords.change.loading)
    setPaymentUrl(undefined)
    try {
      const { id } = await changed(billing.createSubscription({ ...start, quoteId: preview.data.id }))
      await navigate({ to: '/dashboard/$slug/subscriptions/$subscriptionId', params: { slug, subscriptionId: id } })
      return words.done
    } catch (error) {
      if (error instanceof CallError) setPaymentUrl(error.paymentUrl)
      throw error
    }
  }

  return (
    <ActionDialog {...frame} title={words.title} text={words.text} submit={words.submit} run={begin} check={check}>
      {(errorOf) => (
        <>
          {paymentUrl === undefined ? null : (
            <div className="notice" data-tone="warn" role="status">
              <span className="grow">
                {words.needsCustomer} <Copyable text={paymentUrl} what={subscriptionsWords.change.paymentLink} />
              </span>
            </div>
          )}
          {given === undefined ? (
            <CustomerChoice chosen={customerId} onChoose={setCustomer} error={errorOf('customer_id')} />
          ) : null}
          <NativeSelect
            name="product_id"
            label={subscriptionsWords.product}
            data={[{ value: '', label: subscriptionsWords.change.choose }, ...products.map(asChoice)]}
            value={productId}
            error={errorOf('product_id')}
            onChange={(event) => setProduct(event.currentTarget.value)}
            data-autofocus
          />
          {custom ? (
            <TextInput
              name="amount"
              label={words.amount}
              leftSection={custom.priceCurrency.toUpperCase()}
              leftSectionWidth={52}
              inputMode="decimal"
              autoComplete="off"
              value={amount}
              error={errorOf('amount')}
              onChange={(event) => setAmount(event.currentTarget.value)}
            />
          ) : null}
          {isFixed ? <QuantityField value={quantityText} onChange={setQuantity} error={errorOf('quantity')} /> : null}
          <TrialFields trial={trial} onChange={setTrial} error={errorOf('trial_interval_count')} />
          <NativeSelect
            name="discount_id"
            label={subscriptionsWords.subscription.discount.title}
            data={[{ value: '', label: words.noDiscount }, ...discounts]}
            value={discountId}
            error={errorOf('discount_id')}
            onChange={(event) => setDiscount(event.currentTarget.value)}
          />
          <CollectionFields collection={collection} onChange={setCollection} errorOf={errorOf} />
          {customerId === '' || !isByCard ? null : (
            <MethodChoice
              customerId={customerId}
              chosen={paymentMethodId}
              onChoose={setMethod}
              error={errorOf('payment_method_id')}
            />
          )}
          {isComplete ? (
            <QuotePanel
              preview={preview}
              subscription={{
                currency: order?.currency ?? 'usd',
                currentPeriodEnd: null,
                discount: null,
                collectionMethod: collection.kind,
              }}
            />
          ) : null}
        </>
      )}
    </ActionDialog>
  )
}

/** The price that lets the customer choose what they pay. */
function customPriceOf({ prices }: Product) {
  for (const price of prices) if (price.amountType === 'custom') return price
  return undefined
}

type Trial = { readonly kind: keyof typeof words.trials; readonly days: string }
const isTrialKind = (text: string): text is Trial['kind'] => Object.hasOwn(words.trials, text)

function trialOf({ kind, days }: Trial): Partial<Start> {
  if (kind === 'none') return { allowTrial: false }
  const count = Number(days)
  if (kind === 'product' || !Number.isInteger(count) || count < 1) return {}
  return { trialInterval: 'day', trialIntervalCount: count }
}

type TrialProps = { trial: Trial; onChange: (trial: Trial) => void; error: ReactNode }

function TrialFields({ trial, onChange, error }: TrialProps) {
  return (
    <>
      <NativeSelect
        name="trial"
        label={words.trial}
        data={Object.entries(words.trials).map(([value, label]) => ({ value, label }))}
        value={trial.kind}
        onChange={({ currentTarget: { value } }) => {
          if (isTrialKind(value)) onChange({ ...trial, kind: value })
        }}
      />
      {trial.kind === 'days' ? (
        <TextInput
          name="trial_interval_count"
          label={words.trialDays}
          inputMode="numeric"
          autoComplete="off"
          value={trial.days}
          error={error}
          onChange={(event) => onChange({ ...trial, days: event.currentTarget.value })}
        />
      ) : null}
    </>
  )
}

type ChoiceProps = { chosen: string; onChoose: (id: string) => void; error: ReactNode }

/** As many customers as a choice shows; a search narrows them. */
const mostCustomers = 20

function CustomerChoice({ chosen, onChoose, error }: ChoiceProps) {
  const { billing } = useSeller()
  const [search, setSearch] = useState('')
  const query = { limit: mostCustomers, ...(search && { query: search }) }
  const { data } = useQuery(listQuery(['customers', query], (options) => billing.listCustomers(query, options)))
  const found = (data?.items ?? []).map(({ id, name, email }) => ({
    value: id,
    label: name ? `${name} (${email})` : email,
  }))
  return (
    <>
      <TextInput
        label={words.searchCustomer}
        type="search"
        autoComplete="off"
        value={search}
        onChange={(event) => {
          setSearch(event.currentTarget.value)
          onChoose('')
        }}
      />
      <NativeSelect
        name="customer_id"
        label={subscriptionsWords.customer}
        data={[{ value: '', label: words.chooseCustomer }, ...found]}
        value={chosen}
        error={error}
        onChange={(event) => onChoose(event.currentTarget.value)}
      />
    </>
  )
}

/** The saved card that pays; without a choice the default one. */
function MethodChoice({ customerId, chosen, onChoose, error }: ChoiceProps & { customerId: string }) {
  const { billing } = useSeller()
  const { data } = useQuery(
    listQuery(['payment-methods', customerId], (options) =>
      billing.listCustomerPaymentMethods({ id: customerId, limit: 100 }, options),
    ),
  )
  const methods = (data?.items ?? []).map(({ id, card, type }) => ({
    value: id,
    label: card ? words.card(card.brand, card.last4) : type,
  }))
  return (
    <NativeSelect
      name="payment_method_id"
      label={words.method}
      description={data?.items.length === 0 ? words.noMethod : undefined}
      data={[{ value: '', label: words.defaultMethod }, ...methods]}
      value={chosen}
      error={error}
      onChange={(event) => onChoose(event.currentTarget.value)}
    />
  )
}
