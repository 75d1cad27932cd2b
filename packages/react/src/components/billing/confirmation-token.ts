import type { BillingClient, ClientError } from '@tollgate/client'
import type { CheckoutPublic } from '@tollgate/contract/billing-types'
import type { ProcessorHandle } from './processor-form.ts'

/** What is paid with: by the processor's name of it, or not at all where nothing is to be paid; or what is wrong with it. */
export type PaidWith =
  | { readonly id: string | undefined }
  | { readonly problem: string }
  | { readonly error: ClientError }

/** Whether the card is typed into a form of the processor's own. */
export const isPaidElsewhere = ({ isPaymentFormRequired, processor }: CheckoutPublic): boolean =>
  isPaymentFormRequired && processor !== 'sandbox'

/** Turns the card that a buyer has typed into a token: the card itself never comes to our server, but in the sandbox. */
export async function confirmationTokenOf(
  client: BillingClient,
  checkout: CheckoutPublic,
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

/** Whose card it is: as the form says, or as is known already. */
function payerIn(form: FormData, { customerEmail, customerName }: CheckoutPublic) {
  const text = (name: string) => String(form.get(name) ?? '').trim() || null
  return { name: text('name') ?? customerName, email: text('email') ?? customerEmail }
}
