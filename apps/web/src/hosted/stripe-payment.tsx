import type { Appearance, Stripe, StripeElementLocale, StripeElements, StripeError } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/dist/pure.mjs'
import { stripeUnits } from '@tollgate/contract/billing'
import type { ProcessorFormProps, ProcessorHandle, ProcessorModule, ProcessorProblem } from '@tollgate/react'
import { useEffect, useImperativeHandle, useRef, useState } from 'react'
import { type Look, Wallets } from './stripe-express.tsx'

/**
 * Stripe's fields on the checkout page: cards and the wallets that hold them. The fields are frames of Stripe's; what comes
 * out of them is a confirmation token, which pays once. Nothing of this is loaded by checkouts of other processors.
 */

/** Languages of ours that Stripe does not speak are left to it. */
const stripeLocales: Readonly<Record<string, StripeElementLocale>> = {
  de: 'de',
  en: 'en',
  es: 'es',
  fr: 'fr',
  pl: 'pl',
  ru: 'ru',
  tr: 'tr',
}
const localeOf = (locale: string): StripeElementLocale => stripeLocales[locale.slice(0, 2)] ?? 'auto'

/** Stripe's script, once for each page; asked for again where it could not be had. */
async function load(publishableKey: string, locale: string): Promise<Stripe> {
  const stripe = await loadStripe(publishableKey, { locale: localeOf(locale) })
  if (!stripe) throw new Error('Stripe’s script is not there')
  return stripe
}

/** What the fields are for; a payment becomes a setup where a discount leaves nothing to be paid today. */
function purposeOf({ totalAmount: amount, currency, product, isPaymentRequired }: ProcessorFormProps['checkout']) {
  const later = { setupFutureUsage: 'off_session' as const }
  return isPaymentRequired
    ? { mode: 'payment' as const, amount: amount * stripeUnits(currency), currency, ...(product.isRecurring && later) }
    : { mode: 'setup' as const, currency, ...later }
}

type Fields = { readonly stripe: Stripe; readonly elements: StripeElements; readonly look: Look; readonly mode: string }

function Form(props: ProcessorFormProps) {
  const { publishableKey, methodTypes, locale, checkout, handle, onReady, onFailed, onChange } = props
  const place = useRef<HTMLDivElement>(null)
  const [fields, setFields] = useState<Fields>()
  const tell = useRef({ onReady, onFailed, onChange })
  tell.current = { onReady, onFailed, onChange }
  const purpose = purposeOf(checkout)
  const { mode, currency } = purpose
  const amount = mode === 'payment' ? purpose.amount : 0

  // The mode of mounted fields cannot change, so they remount.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other amounts and words do not empty the fields
  useEffect(() => {
    let isOver = false
    let leave = () => {}
    const show = async () => {
      const stripe = await load(publishableKey, locale)
      if (isOver) return
      const look: Look = {
        appearance: appearanceOfPage(),
        locale: localeOf(locale),
        paymentMethodTypes: [...methodTypes],
      }
      const elements = stripe.elements({ ...purpose, ...look })
      const payment = elements.create('payment', {
        // Asked for by our own fields, in our own words.
        fields: { billingDetails: { name: 'never', email: 'never', address: 'if_required' } },
        terms: { card: 'never' },
        // Link has a button of its own beside the other wallets.
        wallets: { link: 'never' },
      })
      payment.on('ready', () => tell.current.onReady())
      payment.on('loaderror', () => tell.current.onFailed())
      payment.on('change', () => tell.current.onChange())
      payment.mount(place.current!) // it is drawn once, and this runs after that
      leave = () => payment.destroy()
      setFields({ stripe, elements, look, mode })
    }
    show().catch(() => isOver || tell.current.onFailed())
    return () => {
      isOver = true
      leave()
    }
  }, [publishableKey, locale, mode])

  useEffect(() => {
    fields?.elements.update(mode === 'payment' ? { amount, currency } : { currency })
  }, [fields, mode, amount, currency])

  useImperativeHandle(handle, () => handleOf(fields), [fields])
  const hasWallets = fields?.mode === mode && !checkout.isBusinessCustomer
  return (
    <>
      {hasWallets ? (
        <Wallets key={mode} {...fields} purpose={purpose} amount={amount} currency={currency} {...props} />
      ) : null}
      <div ref={place} />
    </>
  )
}

function handleOf(fields: Fields | undefined): ProcessorHandle {
  return {
    check: async () => {
      if (!fields) return { problem: 'unreachable' }
      const { error } = await fields.elements.submit()
      return error && problemOf(error)
    },
    token: async ({ name, email }) => {
      if (!fields) return { problem: 'unreachable' }
      const { stripe, elements } = fields
      const { confirmationToken, error } = await stripe.createConfirmationToken({
        elements,
        params: { payment_method_data: { billing_details: { name, email } } },
      })
      return confirmationToken ? { id: confirmationToken.id } : problemOf(error)
    },
  }
}

function problemOf({ type, code, decline_code: declineCode }: StripeError): ProcessorProblem {
  if (type === 'validation_error') return { problem: 'incomplete' }
  if (type === 'api_connection_error') return { problem: 'unreachable' }
  return { problem: declineCode ?? code ?? '' }
}

/** The look of our own fields. Stripe's are frames, which see no variables: what they stand for here is read from the page. */
function appearanceOfPage(): Appearance {
  const probe = document.createElement('span')
  document.querySelector('[data-tg="checkout-form"]')?.append(probe)
  const read = (property: 'color' | 'border-radius', token: string): string => {
    probe.style.setProperty(property, `var(${token})`)
    return getComputedStyle(probe).getPropertyValue(property === 'color' ? 'color' : 'border-top-left-radius')
  }
  const color = (token: string) => read('color', token)
  const appearance: Appearance = {
    theme: 'stripe',
    labels: 'above',
    variables: {
      colorPrimary: color('--tg-accent'),
      colorBackground: color('--tg-surface'),
      colorText: color('--tg-ink'),
      colorTextSecondary: color('--tg-ink-2'),
      colorTextPlaceholder: color('--tg-ink-3'),
      colorDanger: color('--tg-danger'),
      borderRadius: read('border-radius', '--tg-r-s'),
      fontFamily: 'system-ui, sans-serif',
      fontSizeBase: '16px',
    },
    rules: {
      '.Input': { border: `1px solid ${color('--tg-line-strong')}`, boxShadow: 'none' },
      '.Input:focus': { borderColor: color('--tg-accent'), boxShadow: `0 0 0 2px ${color('--tg-accent-soft')}` },
      '.Input--invalid': { borderColor: color('--tg-danger'), boxShadow: 'none' },
    },
  }
  probe.remove()
  return appearance
}

export const stripePayment: ProcessorModule = {
  Form,
  confirmAction: async ({ publishableKey, clientSecret, locale }) => {
    const stripe = await load(publishableKey, locale)
    // Stripe reports the outcome to the server.
    await stripe.handleNextAction({ clientSecret })
  },
}
