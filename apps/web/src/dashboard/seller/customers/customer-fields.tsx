import { NativeSelect, TextInput } from '@mantine/core'
import type { Customer } from '@tollgate/contract/billing-types'
import { useState } from 'react'
import type { ErrorOf } from '../../parts/form-errors.ts'
import { AddressFields } from './address-fields.tsx'
import { taxIdKinds } from './customer-tax-ids.ts'
import { customersWords } from './customers.texts.ts'

const words = customersWords.form

type Props = { customer?: Customer; errorOf: ErrorOf }

/** The fields of a customer, called as the wire calls them, so that what the server finds wrong stands beside them. */
export function CustomerFields({ customer, errorOf }: Props) {
  /** A text field; `autoComplete` is off throughout: the browser would fill in the viewer's own data. */
  const field = (name: string, label: string, value: string | null | undefined, description?: string) => (
    <TextInput
      name={name}
      label={label}
      defaultValue={value ?? ''}
      autoComplete="off"
      error={errorOf(name)}
      {...(description && { description })}
    />
  )
  return (
    <>
      <TextInput
        name="email"
        type="email"
        label={words.email}
        defaultValue={customer?.email ?? ''}
        autoComplete="off"
        spellCheck={false}
        error={errorOf('email')}
        data-autofocus
      />
      {field('name', words.name, customer?.name)}
      {field(
        'external_id',
        words.externalId,
        customer?.externalId,
        customer?.externalId ? words.externalIdForce : words.externalIdHint,
      )}
      <BillingFields customer={customer} errorOf={errorOf} field={field} />
      <LinkFields customer={customer} errorOf={errorOf} />
    </>
  )
}

type FieldsOf = { customer: Customer | undefined; errorOf: ErrorOf }
type Field = (name: string, label: string, value: string | null | undefined, description?: string) => React.ReactNode

function BillingFields({ customer, errorOf, field }: FieldsOf & { field: Field }) {
  const address = customer?.billingAddress
  const [number, format] = customer?.taxId ?? []
  return (
    <fieldset className="group">
      <legend>{words.billing}</legend>
      {field('billing_name', words.billingName, customer?.billingName)}
      <AddressFields address={address} errorOf={errorOf} />
      <div className="side-by-side">
        <TextInput
          name="tax_id"
          label={words.taxId}
          defaultValue={number ?? ''}
          autoComplete="off"
          spellCheck={false}
          error={errorOf('tax_id') ?? errorOf('tax_id.0')}
        />
        <NativeSelect
          name="tax_id_format"
          label={words.taxIdFormat}
          data={[{ value: '', label: words.noTaxIdFormat }, ...taxIdKinds]}
          defaultValue={format ?? ''}
          error={errorOf('tax_id_format') ?? errorOf('tax_id.1')}
        />
      </div>
    </fieldset>
  )
}

const linkKinds = ['', 'user', 'organization'] as const

/** Who on this server the customer is. */
function LinkFields({ customer, errorOf }: FieldsOf) {
  const held = customer?.userId ? 'user' : customer?.buyerOrganizationId ? 'organization' : ''
  const [kind, setKind] = useState<(typeof linkKinds)[number]>(held)
  return (
    <fieldset className="group">
      <legend>{words.link}</legend>
      <NativeSelect
        name="link"
        label={words.linkKind}
        data={linkKinds.map((value) => ({ value, label: words.links[value] }))}
        value={kind}
        onChange={(event) => setKind(linkKinds.find((each) => each === event.currentTarget.value) ?? '')}
      />
      {kind === '' ? null : (
        <TextInput
          name="link_id"
          label={words.linkId[kind]}
          defaultValue={(kind === held ? (customer?.userId ?? customer?.buyerOrganizationId) : '') ?? ''}
          autoComplete="off"
          spellCheck={false}
          error={errorOf('link_id') ?? errorOf(kind === 'user' ? 'user_id' : 'buyer_organization_id')}
        />
      )}
    </fieldset>
  )
}
