import type { Appearance, Stripe, StripeElementLocale, StripeElements } from '@stripe/stripe-js'
import type { ProcessorFormProps, WalletBuyer } from '@tollgate/react'
import { useEffect, useRef, useState } from 'react'

/** The wallets, by Stripe's names, in the order in which the legal text names them. */
const wallets = { applePay: 'Apple Pay', googlePay: 'Google Pay', link: 'Link' } as const
type Wallet = keyof typeof wallets

/** What Stripe's fields on the page have in common. */
export type Look = { appearance: Appearance; locale: StripeElementLocale; paymentMethodTypes: string[] }

type Purpose = Parameters<Stripe['elements']>[0] & { mode?: 'payment' | 'setup' }

type WalletsProps = Pick<ProcessorFormProps, 'legal' | 'wallet'> & {
  readonly stripe: Stripe
  readonly purpose: Purpose
  readonly look: Look
  /** In Stripe's units; 0 where nothing is paid today. */
  readonly amount: number
  readonly currency: string
}

/**
 * The buttons of wallets, by Stripe's Express Checkout Element, in an Elements instance of their own: the card's fields
 * need not be filled. Nothing is shown where the browser has no wallet. A wallet names its buyer and their address.
 */
export function Wallets({ stripe, purpose, look, amount, currency, wallet, legal }: WalletsProps) {
  const place = useRef<HTMLDivElement>(null)
  const [elements, setElements] = useState<StripeElements>()
  const [available, setAvailable] = useState<readonly Wallet[]>([])
  const latest = useRef(wallet)
  latest.current = wallet

  // biome-ignore lint/correctness/useExhaustiveDependencies: other amounts and words keep the buttons
  useEffect(() => {
    const made = stripe.elements({ ...purpose, ...look })
    const buttons = made.create('expressCheckout', {
      emailRequired: true,
      billingAddressRequired: true,
      // The other wallets hold cards, which the server always takes.
      paymentMethods: {
        link: look.paymentMethodTypes.includes('link') ? 'auto' : 'never',
        amazonPay: 'never',
        paypal: 'never',
        klarna: 'never',
      },
    })
    buttons.on('ready', ({ availablePaymentMethods: given }) =>
      setAvailable((Object.keys(wallets) as Wallet[]).filter((name) => given?.[name])),
    )
    // The answer is due within a second, so nothing is asked of the server before it.
    buttons.on('click', ({ resolve, reject }) => (latest.current.mayPay() ? resolve() : reject()))
    buttons.on('confirm', async ({ billingDetails, paymentFailed }) => {
      const { error } = await made.submit()
      const isSent =
        !error &&
        (await latest.current.pay(buyerOf(billingDetails), async () => {
          const { confirmationToken, error: fault } = await stripe.createConfirmationToken({ elements: made })
          return confirmationToken ? { id: confirmationToken.id } : { problem: fault.decline_code ?? fault.code ?? '' }
        }))
      if (!isSent) paymentFailed({ reason: 'fail' })
    })
    buttons.mount(place.current!) // it is drawn once, and this runs after that
    setElements(made)
    return () => buttons.destroy()
  }, [stripe])

  useEffect(() => {
    if (amount > 0) elements?.update({ amount, currency })
  }, [elements, amount, currency])

  return (
    <div data-tg="wallets" data-empty={available.length === 0 || undefined}>
      <div ref={place} />
      {available.length === 0 ? null : legal(available.map((name) => wallets[name]).join(' / '))}
    </div>
  )
}

type Details = { name?: string; email?: string; address?: Partial<Record<keyof StripeAddress, string | null>> }
type StripeAddress = { line1: string; line2: string; city: string; state: string; postal_code: string; country: string }

/** Stripe's empty texts are none of ours. */
function buyerOf({ name, email, address }: Details = {}): WalletBuyer {
  const { country, line1, line2, city, state, postal_code: postalCode } = address ?? {}
  return {
    name: name || null,
    email: email || null,
    address: country
      ? {
          country,
          line1: line1 || null,
          line2: line2 || null,
          city: city || null,
          state: state || null,
          postalCode: postalCode || null,
        }
      : null,
  }
}
