import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { storable } from '../fields.ts'
import { address, addressInput, emptyIsNull, foreignId, sellerErrors, writeErrors } from './fields.ts'
import type { taxCalls } from './tax.calls.ts'

export const taxProviders = ['none', 'table', 'stripe'] as const
/**
 * Why what is sold is taxed as it is: by a rate; not, because the seller is not registered where the buyer is; not, because the
 * product is exempt; by the buyer, because they are a business abroad.
 */
export const taxTreatments = ['taxed', 'not_registered', 'exempt', 'reverse_charge'] as const

export const percent = z.string().regex(/^\d{1,2}(\.\d{1,4})?$/, 'Input should be a percentage such as 19 or 8.875')

/** One tax of a sale. */
export const taxLine = z.object({
  /** `VAT`, `GST`, `Sales tax`, … */
  name: z.string(),
  country: z.string(),
  state: z.string().nullable(),
  /** As a decimal text, such as `19` or `8.875`. */
  percent: z.string(),
  /** What it is computed on, and what it comes to. */
  taxableAmount: z.int(),
  amount: z.int(),
})
/** How a sale is taxed: the lines sum to its tax amount. */
export const saleTax = z.object({ treatment: z.enum(taxTreatments), lines: z.array(taxLine) })

/** `percent` overrides the table's rate; without a state it holds in the whole country. */
export const taxRegistration = z.object({
  country: z.string().regex(/^[A-Z]{2}$/, 'Input should be a two-letter country'),
  state: storable(8).optional(),
  percent: percent.optional(),
})

const byMerchant = z.object({ id: foreignId })

export const taxSettings = z.object({
  /** Of the installation, from its configuration. */
  provider: z.enum(taxProviders),
  /** Of the organization; null: those of the installation hold. */
  registrations: z.array(taxRegistration).nullable(),
  /** Those that hold. */
  effectiveRegistrations: z.array(taxRegistration),
  /** What stands on invoices: the seller's name at law, address and number. */
  legalName: z.string().nullable(),
  address: address.nullable(),
  taxId: z.string().nullable(),
  /** What stands below the sums of every document, such as why no tax is charged, and the seller's register. */
  documentNote: z.string().nullable(),
})

const mostNoteLines = 12
const documentNote = z.preprocess(
  (value) => (value === '' ? null : value),
  storable(1000)
    .refine((text) => text.split('\n').length <= mostNoteLines, `Input should have at most ${mostNoteLines} lines`)
    .nullish(),
)

/** Bodies, queries, answers and refusals of the calls about tax. */
export const taxSchemas = {
  getTaxSettings: {
    summary: 'How an organization collects tax, and what its invoices say of it.',
    params: byMerchant,
    output: taxSettings,
    errors: sellerErrors,
  },
  updateTaxSettings: {
    summary: 'Changes how an organization collects tax; what was sold before stays as it was.',
    params: byMerchant,
    body: z.object({
      registrations: z.array(taxRegistration).max(200).nullish(),
      legalName: emptyIsNull(256),
      address: addressInput.nullish(),
      taxId: emptyIsNull(64),
      documentNote,
    }),
    output: taxSettings,
    errors: writeErrors,
  },
  listTaxRates: {
    summary: 'The standard rates that come with the product, with their date and where they are from.',
    output: z.object({
      asOf: z.string(),
      source: z.string(),
      rates: z.array(
        z.object({ country: z.string(), state: z.string().nullable(), name: z.string(), percent: z.string() }),
      ),
    }),
    errors: sellerErrors,
  },
} as const satisfies Record<keyof typeof taxCalls, Endpoint>
