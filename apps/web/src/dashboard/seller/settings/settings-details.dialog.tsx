import { Checkbox, Textarea, TextInput } from '@mantine/core'
import type { BillingBody } from '@tollgate/contract/billing-types'
import { useState } from 'react'
import { useSeller } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { FieldError } from '../../parts/field-errors.ts'
import { textOf } from '../../parts/form.ts'
import type { ErrorOf } from '../../parts/form-errors.ts'
import { answerOf } from '../../queries/answer.ts'
import { settingsWords } from './settings.texts.ts'

const words = settingsWords.details

type Props = { merchantId: string; opened: boolean; onClose: () => void }

/** The answers for the administrator who approves sellers. They cannot be read back, so the form starts empty. */
export function DetailsDialog({ merchantId, ...frame }: Props) {
  const { billing } = useSeller()
  async function send(form: FormData) {
    await answerOf(billing.updateMerchant({ id: merchantId, details: detailsIn(form) }))
    return words.done
  }
  return (
    <ActionDialog {...frame} title={words.title} text={words.text} submit={words.submit} run={send}>
      {(errorOf) => <DetailsFields errorOf={errorOf} />}
    </ActionDialog>
  )
}

function DetailsFields({ errorOf }: { errorOf: ErrorOf }) {
  const [isSwitching, setSwitching] = useState(false)
  const area = (name: string, label: string, rest: object = {}) => (
    <Textarea name={name} label={label} rows={3} maxLength={5000} error={errorOf(`details.${name}`)} {...rest} />
  )
  const number = (name: string, label: string) => (
    <TextInput
      name={name}
      label={label}
      description={words.revenueHint}
      inputMode="numeric"
      autoComplete="off"
      error={errorOf(`details.${name}`)}
    />
  )
  return (
    <>
      {area('about', words.about, { 'data-autofocus': true })}
      {area('product_description', words.productDescription)}
      {area('intended_use', words.intendedUse)}
      {area('customer_acquisition', words.acquisition, { description: words.acquisitionHint })}
      {number('future_annual_revenue', words.revenue)}
      <Checkbox
        name="switching"
        label={words.switching}
        checked={isSwitching}
        onChange={(event) => setSwitching(event.currentTarget.checked)}
      />
      {isSwitching ? (
        <>
          <TextInput
            name="switching_from"
            label={words.switchingFrom}
            maxLength={64}
            autoComplete="off"
            error={errorOf('details.switching_from')}
          />
          {number('previous_annual_revenue', words.previousRevenue)}
        </>
      ) : null}
    </>
  )
}

type Details = NonNullable<BillingBody<'updateMerchant'>['details']>

/** Throws FieldError for the first answer that is missing. */
function detailsIn(form: FormData): Details {
  const needed = (name: string) => {
    const text = textOf(form, name)
    if (text === '') throw new FieldError(`details.${name}`, words.missing)
    return text
  }
  const whole = (name: string) => {
    const text = textOf(form, name)
    if (!/^\d{0,12}$/.test(text)) throw new FieldError(`details.${name}`, words.notWhole)
    return Number(text)
  }
  return {
    about: needed('about'),
    productDescription: needed('product_description'),
    intendedUse: needed('intended_use'),
    customerAcquisition: textOf(form, 'customer_acquisition')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
    futureAnnualRevenue: whole('future_annual_revenue'),
    switching: form.has('switching'),
    switchingFrom: textOf(form, 'switching_from') || null,
    previousAnnualRevenue: whole('previous_annual_revenue'),
  }
}
