import { Textarea, TextInput } from '@mantine/core'
import { orderName } from '@tollgate/contract/billing'
import type { Order } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { FieldError } from '../../parts/field-errors.ts'
import { textOf } from '../../parts/form.ts'
import { moneyText } from '../../parts/money.tsx'
import { answerOf, CallError } from '../../queries/answer.ts'
import { ordersWords } from './orders.texts.ts'

const { payLink, voiding, markingPaid } = ordersWords.order

type Props = { order: Order; opened: boolean; onClose: () => void }

/** Voids an order that waits for its payment, with a reason. */
export function VoidDialog({ order, ...frame }: Props) {
  const { billing } = useSeller()
  const { id, subscriptionId, invoiceNumber } = order
  const reasonOf = (form: FormData) => required(form, 'reason', voiding.reasonMissing)
  const effects = [
    voiding.text,
    ...(subscriptionId === null ? [] : [voiding.subscription]),
    ...(invoiceNumber === null ? [] : [voiding.creditNote]),
    voiding.final,
  ]
  return (
    <ActionDialog
      {...frame}
      title={voiding.title(orderName(order))}
      text={effects.join(' ')}
      submit={voiding.submit}
      danger
      check={reasonOf}
      run={async (form) => {
        await decided(billing.voidOrder({ id, reason: reasonOf(form) }))
        return voiding.done
      }}
    >
      {(errorOf) => (
        <Textarea
          name="reason"
          label={voiding.reason}
          description={voiding.reasonHint}
          rows={2}
          maxLength={500}
          required
          error={errorOf('reason')}
          data-autofocus
        />
      )}
    </ActionDialog>
  )
}

/** Marks an order as paid in another way than by a processor. */
export function MarkPaidDialog({ order, ...frame }: Props) {
  const { billing } = useSeller()
  const { id, dueAmount, currency } = order
  const referenceOf = (form: FormData) => required(form, 'reference', markingPaid.referenceMissing)
  return (
    <ActionDialog
      {...frame}
      title={markingPaid.title(orderName(order))}
      text={markingPaid.text(moneyText(dueAmount, currency))}
      submit={markingPaid.submit}
      check={referenceOf}
      run={async (form) => {
        await decided(billing.markOrderPaid({ id, reference: referenceOf(form) }))
        return markingPaid.done
      }}
    >
      {(errorOf) => (
        <TextInput
          name="reference"
          label={markingPaid.reference}
          description={markingPaid.referenceHint}
          maxLength={256}
          autoComplete="off"
          required
          error={errorOf('reference')}
          data-autofocus
        />
      )}
    </ActionDialog>
  )
}

function required(form: FormData, name: string, missing: string): string {
  const text = textOf(form, name).trim()
  if (text === '') throw new FieldError(name, missing)
  return text
}

/** The answer of a call about an open order; that the order is not due is said in the dashboard's language. */
async function decided(call: Parameters<typeof answerOf<Order>>[0]): Promise<Order> {
  try {
    return await answerOf(call)
  } catch (error) {
    if (error instanceof CallError && error.code === 'OrderNotDue') throw new Error(payLink.notDue, { cause: error })
    throw error
  }
}
