import { Field } from '../../elements/field.tsx'
import { useMessages } from '../../provider.tsx'
import { FieldGroup } from './checkout-parts.tsx'
import type { CheckoutState } from './use-checkout.ts'

/** The sandbox cards (interface, section 6), by what each demonstrates. */
const testCards = [
  ['cardSuccess', '4242 4242 4242 4242'],
  ['cardDecline', '4000 0000 0000 0002'],
  ['cardFunds', '4000 0000 0000 9995'],
  ['cardAction', '4000 0025 0000 3155'],
  ['cardExpired', '4000 0000 0000 0069'],
  ['cardRenewal', '4000 0000 0000 0341'],
] as const

/** Cards whose effect appears after the sale, listed apart from those that only pay. */
const laterCards = [
  ['cardRefundPending', '4000 0000 0000 7726'],
  ['cardRefundFails', '4000 0000 0000 5126'],
  ['cardDisputed', '4000 0000 0000 0259'],
] as const

/** What the card form needs of the page that it is on. */
type CardFormState = Pick<CheckoutState, 'errors' | 'forget' | 'form'> & {
  readonly checkout: Pick<CheckoutState['checkout'], 'isPaymentRequired'>
}

/** The sandbox card form: one press fills in a test card. It stores nothing, and spell checkers cannot see it. */
export function CardForm({ state: { checkout, errors, forget, form } }: { state: CardFormState }) {
  const texts = useMessages('checkout')
  const fill = (number: string) => {
    const values: Record<string, string> = { cardNumber: number, cardExpiry: '12/49', cardCode: '123' }
    for (const [name, value] of Object.entries(values)) {
      const input = form.current?.elements.namedItem(name)
      if (input instanceof HTMLInputElement) input.value = value
    }
    forget(...Object.keys(values))
  }
  const chip = ([name, number]: (typeof testCards | typeof laterCards)[number]) => (
    <button key={name} type="button" data-tg="chip-button" onClick={() => fill(number)}>
      {texts[name]}
    </button>
  )
  return (
    <FieldGroup id="tg-payment" title={texts.payment}>
      {checkout.isPaymentRequired ? null : <p data-tg="hint">{texts.setup}</p>}
      <div data-tg="card-form">
        <div data-tg="test-cards">
          <p data-tg="test-mode">{texts.testMode}</p>
          <details>
            <summary>{texts.testCards}</summary>
            <div>{testCards.map(chip)}</div>
            <p>{texts.moreTestCards}</p>
            <div>{laterCards.map(chip)}</div>
          </details>
          <button type="button" data-tg="chip-button" onClick={() => fill(testCards[0][1])}>
            {texts.testCard}
          </button>
        </div>
        <Field
          id="cardNumber"
          name="cardNumber"
          label={texts.cardNumber}
          error={errors.cardNumber}
          inputMode="numeric"
          autoComplete="cc-number"
          spellCheck={false}
          placeholder="4242 4242 4242 4242"
          maxLength={32}
        />
        <div data-tg="pair">
          <Field
            id="cardExpiry"
            name="cardExpiry"
            label={texts.cardExpiry}
            error={errors.cardExpiry}
            inputMode="numeric"
            autoComplete="cc-exp"
            spellCheck={false}
            placeholder={texts.cardExpiryHint}
            maxLength={9}
          />
          <Field
            id="cardCode"
            name="cardCode"
            label={texts.cardCode}
            error={errors.cardCode}
            inputMode="numeric"
            autoComplete="cc-csc"
            spellCheck={false}
            placeholder="123"
            maxLength={4}
          />
        </div>
      </div>
    </FieldGroup>
  )
}
