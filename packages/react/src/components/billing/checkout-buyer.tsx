import { addressFieldsOf } from '@tollgate/contract/billing'
import type { CheckoutPublic } from '@tollgate/contract/billing-types'
import { useEffect, useMemo, useState } from 'react'
import { Checkbox } from '../../elements/checkbox.tsx'
import { Field, identityAttributes } from '../../elements/field.tsx'
import { useHydrated } from '../../hooks/use-hydrated.ts'
import { withQuery } from '../../paths.ts'
import { useMessages, useText, useTollgateContext } from '../../provider.tsx'
import { SelectField, TextField } from '../organization/fields.tsx'
import { FieldGroup } from './checkout-parts.tsx'
import { addressIn, answersIn, controlOf, dayOf, needsAddress } from './checkout-values.ts'
import { countryName, countryOptions, statesOf } from './countries.ts'
import type { CheckoutState } from './use-checkout.ts'

type Part = { state: CheckoutState }

/** The buyer: contact details, and the signed-in account. */
export function Contact({
  state,
  signedInAs,
  back,
}: Part & {
  signedInAs?: { name: string; email: string } | undefined
  /** Where signing in to another account returns to. */
  back?: string | undefined
}) {
  const { paths } = useTollgateContext()
  const texts = useMessages('checkout')
  const common = useMessages('common')
  const t = useText()
  const { checkout, errors, change } = state
  const isKnown = checkout.customerId !== null
  return (
    <FieldGroup
      id="tg-contact"
      title={texts.contact}
      aside={
        signedInAs ? (
          <p data-tg="signed-in">
            {t(texts.signedInAs, { name: signedInAs.name || signedInAs.email })}{' '}
            <a href={withQuery(paths.signIn, { switch: '1', callbackURL: back })}>{texts.notYou}</a>
          </p>
        ) : null
      }
    >
      <div data-tg="pair" data-wide="">
        <Field
          id="email"
          name="email"
          label={common.email}
          error={errors.email}
          {...identityAttributes}
          autoComplete="email"
          readOnly={isKnown}
          defaultValue={checkout.customerEmail ?? ''}
          onBlur={({ target }) => {
            const customerEmail = target.value.trim()
            if (!isKnown && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(customerEmail)) change({ customerEmail }, 'now')
          }}
        />
        <Field
          id="name"
          name="name"
          label={texts.name}
          aside={checkout.isPaymentFormRequired ? undefined : <Optional />}
          error={errors.name}
          autoComplete="name"
          defaultValue={checkout.customerName ?? ''}
          onBlur={({ target }) => change({ customerName: target.value.trim() || null }, 'soon')}
        />
      </div>
    </FieldGroup>
  )
}

function Optional() {
  return <span data-tg="optional">{useMessages('checkout').optional}</span>
}

/** The seller's custom fields, in the seller's own words. */
export function Questions({ state }: Part) {
  const { checkout, change, form } = state
  if (checkout.attachedCustomFields.length === 0) return null
  // Incomplete answers are kept for a reload; their errors appear when the buyer pays.
  const keep = () => {
    if (form.current) change({ customFieldData: answersIn(new FormData(form.current), checkout) }, 'soon')
  }
  return (
    <div data-tg="group">
      {checkout.attachedCustomFields.map((attached) => (
        <Question key={attached.customFieldId} state={state} attached={attached} keep={keep} />
      ))}
    </div>
  )
}

type Attached = CheckoutPublic['attachedCustomFields'][number]

function Question({ state: { checkout, errors }, attached, keep }: Part & { attached: Attached; keep: () => void }) {
  const texts = useMessages('checkout')
  const { customField: field, required } = attached
  const control = controlOf(attached)
  const answer = checkout.customFieldData[field.slug]
  const { formLabel, formHelpText, formPlaceholder } = field.properties
  const common = {
    id: control,
    name: control,
    label: formLabel || field.name,
    hint: formHelpText || undefined,
    error: errors[control],
    defaultValue: answer === undefined || answer === null ? '' : String(answer),
    'aria-required': required || undefined,
    onBlur: keep,
  }
  const aside = required ? undefined : <Optional />
  switch (field.type) {
    case 'checkbox':
      return (
        <div data-tg="field" data-invalid={errors[control] ? true : undefined}>
          <Checkbox
            id={control}
            name={control}
            label={common.label}
            defaultChecked={answer === true}
            onChange={keep}
            aria-required={common['aria-required']}
            aria-invalid={errors[control] ? true : undefined}
            aria-describedby={[errors[control] && `${control}-error`, formHelpText && `${control}-hint`]
              .filter(Boolean)
              .join(' ')}
          />
          {errors[control] ? (
            <p id={`${control}-error`} data-tg="field-error">
              {errors[control]}
            </p>
          ) : null}
          {formHelpText ? (
            <p id={`${control}-hint`} data-tg="hint">
              {formHelpText}
            </p>
          ) : null}
        </div>
      )
    case 'select':
      return (
        <SelectField
          {...common}
          aside={aside}
          options={[
            ['', texts.chooseOne],
            ...field.properties.options.map(({ value, label }) => [value, label] as const),
          ]}
        />
      )
    case 'text':
      return field.properties.textarea ? (
        <TextField {...common} aside={aside} placeholder={formPlaceholder} rows={3} />
      ) : (
        <Field {...common} aside={aside} placeholder={formPlaceholder} autoComplete="off" />
      )
    case 'number':
      return <Field {...common} aside={aside} placeholder={formPlaceholder} inputMode="numeric" autoComplete="off" />
    case 'date': {
      const { ge, le } = field.properties
      const limits = { min: ge === undefined ? undefined : dayOf(ge), max: le === undefined ? undefined : dayOf(le) }
      return <Field {...common} {...limits} aside={aside} type="date" autoComplete="off" />
    }
  }
}

/** The controls of an address besides its country. */
const lines = ['line1', 'line2', 'city', 'state', 'postalCode'] as const

/** The billing address, as far as the country and the seller require it; with the company for business buyers. */
export function BillingAddress({ state }: Part) {
  const texts = useMessages('checkout')
  const { checkout, errors, change, forget, form } = state
  const [chosen, setChosen] = useState<string>()
  if (!needsAddress(checkout)) return null
  const { customerBillingAddress: address } = checkout
  const country = chosen ?? address?.country ?? state.likelyCountry
  const asked = addressFieldsOf({ ...checkout, country: country ?? null })

  const changeAddress = (when: 'soon' | 'now') => {
    if (form.current) change(addressIn(new FormData(form.current)), when)
  }
  const changeCountry = (code: string) => {
    setChosen(code)
    forget('taxId', ...lines) // they are of the country before
    changeAddress('now')
  }
  const line = (name: 'line1' | 'line2' | 'city' | 'postalCode', autoComplete: string) => ({
    id: name,
    name,
    label: texts[name],
    error: errors[name],
    autoComplete: `billing ${autoComplete}`,
    defaultValue: address?.[name] ?? '',
    onBlur: () => changeAddress('soon'),
  })
  const states = statesOf(country ?? '')
  const places = [
    asked.postalCode && <Field key="postalCode" {...line('postalCode', 'postal-code')} />,
    asked.city && <Field key="city" {...line('city', 'address-level2')} />,
    asked.state && states.length > 0 && (
      <SelectField
        key={country}
        id="state"
        name="state"
        label={country === 'CA' ? texts.province : texts.state}
        error={errors.state}
        autoComplete="billing address-level1"
        defaultValue={address?.state ?? ''}
        options={[['', texts.chooseOne], ...states]}
        onChange={() => changeAddress('now')}
      />
    ),
  ].filter(Boolean)
  return (
    <FieldGroup
      id="tg-address"
      title={texts.address}
      aside={
        <Checkbox
          id="isBusinessCustomer"
          name="isBusinessCustomer"
          label={texts.business}
          defaultChecked={checkout.isBusinessCustomer}
          onChange={({ target }) => {
            forget('company', 'taxId', ...lines)
            change({ isBusinessCustomer: target.checked }, 'now')
          }}
        />
      }
    >
      {checkout.isBusinessCustomer ? (
        <>
          <Field
            id="company"
            name="company"
            label={texts.company}
            error={errors.company}
            autoComplete="billing organization"
            defaultValue={checkout.customerBillingName ?? ''}
            onBlur={({ target }) => change({ customerBillingName: target.value.trim() || null }, 'soon')}
          />
          <Field
            id="taxId"
            name="taxId"
            label={texts.taxId}
            aside={<Optional />}
            hint={texts.taxIdHint}
            error={errors.taxId}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            defaultValue={checkout.customerTaxId ?? ''}
            onBlur={({ target }) => change({ customerTaxId: target.value.trim() || null }, 'now')}
          />
        </>
      ) : null}
      <CountryField state={state} country={country} onChange={changeCountry} />
      {asked.line1 || places.length > 0 ? (
        <div data-tg="address-lines">
          {asked.line1 ? <Field {...line('line1', 'address-line1')} /> : null}
          {asked.line2 ? <Field {...line('line2', 'address-line2')} aside={<Optional />} /> : null}
          {/* An address in North America ends with the postal code. */}
          {places.length > 0 ? (
            <div data-tg="places">{asked.state ? [...places.slice(1), places[0]] : places}</div>
          ) : null}
        </div>
      ) : null}
    </FieldGroup>
  )
}

/**
 * All countries, named in the page's language. The server renders only the chosen or likely one; the browser knows the
 * names of the others.
 */
function CountryField({
  state: { checkout, errors, form, likelyCountry },
  country,
  onChange,
}: Part & {
  country: string | undefined
  onChange: (code: string) => void
}) {
  const { locale } = useTollgateContext()
  const texts = useMessages('checkout')
  const hydrated = useHydrated()
  const options = useMemo(() => {
    if (hydrated) return countryOptions(locale, likelyCountry)
    return country === undefined ? [] : [[country, countryName(country, locale)] as const]
  }, [hydrated, locale, country, likelyCountry])
  const isKnown = checkout.customerBillingAddress !== null
  // A better guess replaces an earlier one; by then the list has all countries.
  useEffect(() => {
    const list = form.current?.elements.namedItem('country')
    if (hydrated && !isKnown && likelyCountry !== undefined && list instanceof HTMLSelectElement)
      list.value = likelyCountry
  }, [hydrated, isKnown, likelyCountry, form])
  return (
    <SelectField
      id="country"
      name="country"
      label={texts.country}
      error={errors.country}
      autoComplete="billing country"
      defaultValue={country ?? ''}
      options={[['', texts.chooseCountry], ...options]}
      onChange={({ target }) => onChange(target.value)}
      suppressHydrationWarning
    />
  )
}
