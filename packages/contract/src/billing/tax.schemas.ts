import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { storable } from '../fields.ts'
import { address, addressInput, emptyIsNull, foreignId, sellerErrors, taxBehaviors, writeErrors } from './fields.ts'
import type { taxCalls } from './tax.calls.ts'

export const taxProviders = ['none', 'table', 'stripe'] as const
/**
 * Why a sale has its tax: a rate applies; the seller is not registered where the buyer is; the product is exempt; or
 * the buyer is a business abroad and owes the tax.
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
  /** The taxable amount, and the tax on it. */
  taxableAmount: z.int(),
  amount: z.int(),
})
/** How a sale is taxed: the lines sum to its tax amount. */
export const saleTax = z.object({ treatment: z.enum(taxTreatments), lines: z.array(taxLine) })

/** `percent` overrides the table's rate. Without a state it applies to the whole country. */
export const taxRegistration = z.object({
  country: z.string().regex(/^[A-Z]{2}$/, 'Input should be a two-letter country'),
  state: storable(8).optional(),
  percent: percent.optional(),
})

const byMerchant = z.object({ id: foreignId })

export const taxSettings = z.object({
  /** The installation's, from its configuration. */
  provider: z.enum(taxProviders),
  /** The organization's own; null where the installation's apply. */
  registrations: z.array(taxRegistration).nullable(),
  /** The effective ones. */
  effectiveRegistrations: z.array(taxRegistration),
  /** The identity on invoices: the seller's legal name, address and number. */
  legalName: z.string().nullable(),
  address: address.nullable(),
  taxId: z.string().nullable(),
  /** The text below the totals of every document, such as the reason for charging no tax, and the seller's register. */
  documentNote: z.string().nullable(),
  /** Whether new prices contain their tax. Existing prices stay as they are. */
  taxBehavior: z.enum(taxBehaviors),
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
    summary: 'Returns an organization’s tax registrations and its identity on invoices.',
    params: byMerchant,
    output: taxSettings,
    errors: sellerErrors,
  },
  updateTaxSettings: {
    summary: 'Updates an organization’s tax settings; earlier sales do not change.',
    params: byMerchant,
    body: z.object({
      registrations: z.array(taxRegistration).max(200).nullish(),
      legalName: emptyIsNull(256),
      address: addressInput.nullish(),
      taxId: emptyIsNull(64),
      documentNote,
      taxBehavior: z.enum(taxBehaviors).optional(),
    }),
    output: taxSettings,
    errors: writeErrors,
  },
  listTaxRates: {
    summary: 'Returns the shipped standard rates, with their date and sources.',
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
