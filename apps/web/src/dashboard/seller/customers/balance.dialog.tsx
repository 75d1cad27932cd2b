import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSeller } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { FieldError } from '../../parts/field-errors.ts'
import { textOf } from '../../parts/form.ts'
import { amountIn, moneyText } from '../../parts/money.tsx'
import { answerOf } from '../../queries/answer.ts'
import { currencyOptions } from '../products/currency-select.tsx'
import { customersWords } from './customers.texts.ts'

const words = customersWords.balance.dialog
const kinds = Object.entries(words.kinds).map(([value, label]) => ({ value, label }))

type Props = { customerId: string; currency: string; opened: boolean; onClose: () => void }

/** Gives a customer credit, or charges them with a debt, with a reason. */
export function BalanceDialog({ customerId, currency: usual, ...frame }: Props) {
  const { billing } = useSeller()
  const [currency, setCurrency] = useState(usual)

  function entryOf(form: FormData) {
    const amount = amountIn(textOf(form, 'amount'), currency)
    if (amount === undefined || amount < 1) throw new FieldError('amount', words.amountWrong)
    const reason = textOf(form, 'reason').trim()
    if (reason === '') throw new FieldError('reason', words.reasonMissing)
    return { amount: textOf(form, 'kind') === 'debt' ? -amount : amount, currency, reason }
  }

  return (
    <ActionDialog
      {...frame}
      title={words.title}
      text={words.text}
      submit={words.submit}
      check={entryOf}
      run={async (form) => {
        const { amount } = await answerOf(billing.changeCustomerBalance({ id: customerId, ...entryOf(form) }))
        return (amount > 0 ? words.credited : words.charged)(moneyText(Math.abs(amount), currency))
      }}
    >
      {(errorOf) => (
        <>
          <NativeSelect name="kind" label={words.kind} data={kinds} data-autofocus />
          <TextInput
            name="amount"
            label={words.amount}
            leftSection={currency.toUpperCase()}
            leftSectionWidth={52}
            inputMode="decimal"
            autoComplete="off"
            required
            error={errorOf('amount')}
          />
          <NativeSelect
            name="currency"
            label={words.currency}
            data={currencyOptions}
            value={currency}
            error={errorOf('currency')}
            onChange={(event) => setCurrency(event.currentTarget.value)}
          />
          <Textarea
            name="reason"
            label={words.reason}
            description={words.reasonHint}
            rows={2}
            maxLength={500}
            required
            error={errorOf('reason')}
          />
        </>
      )}
    </ActionDialog>
  )
}
