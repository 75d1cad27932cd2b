import { NativeSelect, TextInput } from '@mantine/core'
import type { Address } from '@tollgate/contract/billing-types'
import { countries } from '../../parts/countries.ts'
import type { ErrorOf } from '../../parts/form-errors.ts'
import { customersWords } from './customers.texts.ts'

const words = customersWords.form

type Props = { address: Address | null | undefined; errorOf: ErrorOf }

/** The fields of a billing address, called as the wire calls them; `addressIn` reads them. */
export function AddressFields({ address, errorOf }: Props) {
  /** `autoComplete` is off throughout: the browser would fill in the viewer's own data. */
  const field = (name: string, label: string, value: string | null | undefined, description?: string) => (
    <TextInput
      name={`billing_address.${name}`}
      label={label}
      defaultValue={value ?? ''}
      autoComplete="off"
      error={errorOf(`billing_address.${name}`)}
      {...(description && { description })}
    />
  )
  return (
    <>
      <NativeSelect
        name="billing_address.country"
        label={words.country}
        data={[{ value: '', label: words.noCountry }, ...countries]}
        defaultValue={address?.country ?? ''}
        error={errorOf('billing_address.country') ?? errorOf('billing_address')}
      />
      {field('line1', words.line1, address?.line1)}
      {field('line2', words.line2, address?.line2)}
      <div className="side-by-side">
        {field('postal_code', words.postalCode, address?.postalCode)}
        {field('city', words.city, address?.city)}
      </div>
      {field('state', words.state, address?.state, words.stateHint)}
    </>
  )
}
