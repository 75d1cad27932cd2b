import type { BillingBody, TaxBehavior, TaxSettings } from '@tollgate/contract/billing-types'

/** A place where tax is collected, as its fields hold it. */
export type RegistrationLine = {
  /** Keeps the line apart from the others while it is being filled in. */
  readonly id: number
  readonly country: string
  /** `US-CA`; of the United States and Canada only. */
  readonly state: string
  readonly percent: string
}

const addressLines = ['line1', 'line2', 'postalCode', 'city', 'state', 'country'] as const
export type AddressLine = (typeof addressLines)[number]

/** The settings as their form holds them. */
export type TaxDraft = {
  /** Whether the organization has registrations of its own; else those of the installation hold. */
  readonly isOwn: boolean
  readonly registrations: readonly RegistrationLine[]
  readonly legalName: string
  readonly address: Readonly<Record<AddressLine, string>>
  readonly taxId: string
  readonly documentNote: string
  /** Whether new prices contain their tax. */
  readonly taxBehavior: TaxBehavior
}

export function taxDraft(settings: TaxSettings): TaxDraft {
  const { registrations, effectiveRegistrations, legalName, address, taxId, documentNote, taxBehavior } = settings
  const line = (name: AddressLine) => address?.[name] ?? ''
  return {
    isOwn: registrations !== null,
    registrations: effectiveRegistrations.map(({ country, state = '', percent = '' }, id) => ({
      id,
      country,
      state,
      percent,
    })),
    legalName: legalName ?? '',
    address: {
      line1: line('line1'),
      line2: line('line2'),
      postalCode: line('postalCode'),
      city: line('city'),
      state: line('state'),
      country: line('country'),
    },
    taxId: taxId ?? '',
    documentNote: documentNote ?? '',
    taxBehavior,
  }
}

/** A line for one more place. */
export const addRegistration = (lines: readonly RegistrationLine[]): readonly RegistrationLine[] => [
  ...lines,
  { id: Math.max(-1, ...lines.map(({ id }) => id)) + 1, country: '', state: '', percent: '' },
]

/** What is sent: what is empty is taken away. Every line is sent, so that the server can say in which one a country is missing. */
export function taxValues(draft: TaxDraft): TaxValues {
  const { isOwn, registrations, legalName, address, taxId, documentNote, taxBehavior } = draft
  const { country, ...lines } = trimmed(address)
  const isAddress = country !== '' || Object.values(lines).some((line) => line !== '')
  return {
    registrations: isOwn
      ? registrations.map((line) => ({
          country: line.country,
          ...(line.state !== '' && { state: line.state }),
          ...(line.percent.trim() !== '' && { percent: line.percent.trim().replace(',', '.') }),
        }))
      : null,
    legalName: legalName.trim() || null,
    address: isAddress ? { ...lines, country } : null,
    taxId: taxId.trim() || null,
    documentNote: documentNote.trim() || null,
    taxBehavior,
  }
}

type TaxValues = NonNullable<BillingBody<'updateTaxSettings'>>

const trimmed = (address: TaxDraft['address']): TaxDraft['address'] => {
  const { line1, line2, postalCode, city, state, country } = address
  return {
    line1: line1.trim(),
    line2: line2.trim(),
    postalCode: postalCode.trim(),
    city: city.trim(),
    state: state.trim(),
    country,
  }
}
