import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type { Appearance, Stripe, StripeElementLocale, StripeError } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/dist/pure.mjs'
import type { ProcessorFormProps, ProcessorModule, ProcessorProblem } from '@tollgate/react'
import { useEffect, useImperativeHandle, useState } from 'react'

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

function Form(props: ProcessorFormProps) {
  const { publishableKey, locale, checkout, onFailed } = props
  const [stripe, setStripe] = useState<Stripe>()
  const [appearance, setAppearance] = useState<Appearance>()

  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded once, whatever its parent makes anew
  useEffect(() => {
    let isOver = false
    setAppearance(appearanceOfPage())
    load(publishableKey, locale)
      .then((loaded) => isOver || setStripe(loaded))
      .catch(() => isOver || onFailed())
    return () => {
      isOver = true
    }
  }, [publishableKey, locale])

  if (!stripe || !appearance) return null
  const { totalAmount: amount, currency, product, isPaymentRequired } = checkout
  const shared = { currency, appearance, locale: localeOf(locale), paymentMethodTypes: ['card'] }
  const options = isPaymentRequired
    ? {
        ...shared,
        mode: 'payment' as const,
        amount,
        ...(product.isRecurring && { setupFutureUsage: 'off_session' as const }),
      }
    : { ...shared, mode: 'setup' as const, setupFutureUsage: 'off_session' as const }
  return (
    // Its mode cannot change while it is there: a discount may make a payment a setup.
    <Elements key={options.mode} stripe={stripe} options={options}>
      <Fields {...props} />
    </Elements>
  )
}

function Fields({ handle, onReady, onFailed, onChange }: ProcessorFormProps) {
  const stripe = useStripe()
  const elements = useElements()
  useImperativeHandle(
    handle,
    () => ({
      check: async () => {
        const answer = await elements?.submit()
        return answer?.error ? problemOf(answer.error) : undefined
      },
      token: async ({ name, email }) => {
        if (!stripe || !elements) return { problem: 'unreachable' }
        const { confirmationToken, error } = await stripe.createConfirmationToken({
          elements,
          params: { payment_method_data: { billing_details: { name, email } } },
        })
        return confirmationToken ? { id: confirmationToken.id } : problemOf(error)
      },
    }),
    [stripe, elements],
  )
  return (
    <PaymentElement
      options={{
        // Asked for by our own fields, in our own words.
        fields: { billingDetails: { name: 'never', email: 'never', address: 'if_required' } },
        terms: { card: 'never' },
      }}
      onReady={onReady}
      onLoadError={onFailed}
      onChange={onChange}
    />
  )
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
    // How it ended, the server hears from Stripe.
    await stripe.handleNextAction({ clientSecret })
  },
}
