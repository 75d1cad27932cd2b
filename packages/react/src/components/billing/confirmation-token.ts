import type { BuyerClient, ClientError } from '@tollgate/client'
import type { CheckoutPublic } from '@tollgate/contract/billing-types'
import type { ProcessorHandle } from './processor-form.ts'

/** The payment's means: a confirmation token of the processor, none if nothing is due, or an error. */
export type PaidWith =
  | { readonly id: string | undefined }
  | { readonly problem: string }
  | { readonly error: ClientError }

/** A purchase, as far as a card that pays it is concerned. */
type Purchase = Pick<CheckoutPublic, 'isPaymentFormRequired' | 'processor' | 'customerName' | 'customerEmail'>

/** Whether the processor's own form takes the card. */
export const isPaidElsewhere = ({ isPaymentFormRequired, processor }: Purchase): boolean =>
  isPaymentFormRequired && processor !== 'sandbox'

/** Turns the entered card into a token. The card itself never reaches our server, except in the sandbox. */
export async function confirmationTokenOf(
  client: BuyerClient,
  checkout: Purchase,
  form: FormData,
  processorForm: ProcessorHandle | null,
): Promise<PaidWith> {
  if (isPaidElsewhere(checkout))
    return (await processorForm?.token(payerIn(form, checkout))) ?? { problem: 'unreachable' }
  if (!checkout.isPaymentFormRequired) return { id: undefined }
  const { data, error } = await client.createSandboxConfirmationToken(cardIn(form))
  return error ? { error } : { id: data.id }
}

function cardIn(form: FormData): { number: string; expiry: string; cvc: string } {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  return { number: text('cardNumber'), expiry: text('cardExpiry'), cvc: text('cardCode') }
}

/** The cardholder: from the form, or as already known. */
function payerIn(form: FormData, { customerEmail, customerName }: Purchase) {
  const text = (name: string) => String(form.get(name) ?? '').trim() || null
  return { name: text('name') ?? customerName, email: text('email') ?? customerEmail }
}
