import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Customer } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { FieldError } from '../../parts/field-errors.ts'
import { textOf } from '../../parts/form.ts'
import { answerOf } from '../../queries/answer.ts'
import { CustomerFields } from './customer-fields.tsx'
import { customerValues } from './customer-values.ts'
import { customersWords as words } from './customers.texts.ts'
import { MetadataField, metadataIn } from './metadata-field.tsx'

type Frame = { opened: boolean; onClose: () => void }
type DialogProps = Frame & { customer: Customer }

export function CreateCustomerDialog(frame: Frame) {
  const { billing, slug } = useSeller()
  const navigate = useNavigate()
  async function create(form: FormData) {
    const { id, email } = await answerOf(billing.createCustomer(customerValues(form)))
    await navigate({ to: '/dashboard/$slug/customers/$customerId', params: { slug, customerId: id } })
    return words.creation.done(email)
  }
  return (
    <ActionDialog {...frame} title={words.creation.title} submit={words.creation.submit} run={create}>
      {(errorOf) => <CustomerFields errorOf={errorOf} />}
    </ActionDialog>
  )
}

export function EditCustomerDialog({ customer, ...frame }: DialogProps) {
  const { billing } = useSeller()
  async function save(form: FormData) {
    const values = customerValues(form)
    // One that is set is replaced only on purpose (billing contract, CUS-6); the field says what that means.
    const replaces = customer.externalId !== null && customer.externalId !== values.externalId
    await answerOf(billing.updateCustomer({ id: customer.id, ...values, ...(replaces && { force: true }) }))
    return words.editing.done
  }
  return (
    <ActionDialog {...frame} title={words.editing.title} submit={words.editing.submit} run={save}>
      {(errorOf) => <CustomerFields customer={customer} errorOf={errorOf} />}
    </ActionDialog>
  )
}

export function CustomerMetadataDialog({ customer, ...frame }: DialogProps) {
  const { billing } = useSeller()
  async function save(form: FormData) {
    await answerOf(billing.updateCustomer({ id: customer.id, metadata: metadataIn(form) }))
    return words.editing.done
  }
  return (
    <ActionDialog {...frame} title={words.metadata.edit} submit={words.editing.submit} run={save}>
      {(errorOf) => <MetadataField metadata={customer.metadata} errorOf={errorOf} />}
    </ActionDialog>
  )
}

type DeletionProps = DialogProps & { subscriptions: number | undefined }

/** Says what ends with the customer, and asks for the address. */
export function DeleteCustomerDialog({ customer, subscriptions, ...frame }: DeletionProps) {
  const { billing, slug } = useSeller()
  const navigate = useNavigate()
  const { removal } = words
  async function remove(form: FormData) {
    if (textOf(form, 'confirm').toLowerCase() !== customer.email.toLowerCase())
      throw new FieldError('confirm', removal.mismatch)
    await answerOf(billing.deleteCustomer({ id: customer.id }))
    // Navigate first: this page's object no longer exists.
    await navigate({ to: '/dashboard/$slug/customers', params: { slug } })
    return removal.done(customer.email)
  }
  return (
    <ActionDialog
      {...frame}
      title={removal.title(customer.name || customer.email)}
      text={
        <>
          {subscriptions ? <strong className="block">{removal.subscriptions(subscriptions)}</strong> : null}
          {removal.text}
        </>
      }
      submit={removal.submit}
      danger
      run={remove}
    >
      {(errorOf) => (
        <TextInput
          name="confirm"
          label={removal.confirm(customer.email)}
          autoComplete="off"
          spellCheck={false}
          error={errorOf('confirm')}
          data-autofocus
        />
      )}
    </ActionDialog>
  )
}
