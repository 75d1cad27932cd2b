import type { SaleTax } from '@tollgate/contract/billing-types'
import type Stripe from 'stripe'
import { seconds } from '../../../foundation/clock.ts'
import type { StripeSettings } from '../../../foundation/config/stripe.ts'
import { split } from '../money.ts'
import { fromStripe, toStripe } from '../payments/stripe-answers.ts'
import { refusalOf, stripeClient } from '../payments/stripe-client.ts'
import type { TaxProvider } from './tax-provider.ts'
import type { TaxAsked } from './tax-rules.ts'

/**
 * Stripe Tax calculates the tax (docs.stripe.com/api/tax/calculations). It takes the tax registrations and the place
 * of sale from the settings of the Stripe account.
 */
export function createStripeTax(settings: StripeSettings, fetchFunction: typeof fetch): TaxProvider {
  const client = stripeClient(settings, fetchFunction)

  async function taxOn(asked: TaxAsked): Promise<SaleTax | undefined> {
    const stripe = await client()
    try {
      const calculation = await stripe.tax.calculations.create(parametersOf(asked), { timeout: patience })
      return toSaleTax(calculation, asked.currency)
    } catch (error) {
      const { code, param = '', isOurs = true } = refusalOf(error) ?? {}
      if (isOurs) throw error
      // The address is incomplete, invalid, or in a country that Stripe does not support.
      if (code === 'customer_tax_location_invalid' || param.startsWith('customer_details[address]')) return undefined
      const isNumberWrong = code === 'tax_id_invalid' || param.startsWith('customer_details[tax_ids]')
      if (!isNumberWrong || !asked.buyer.taxId) throw error
    }
    // A tax number that Stripe rejects counts as none: the sale is taxed as one to a consumer.
    return taxOn({ ...asked, buyer: { ...asked.buyer, taxId: null } })
  }
  return { kind: 'asked', taxOn }
}

/** The buyer waits for the answer. */
const patience = seconds(4)

/** Stripe's code for untaxed products. */
const untaxable = 'txcd_00000000'

const parametersOf = ({ buyer, lines, currency, taxBehavior }: TaxAsked): Stripe.Tax.CalculationCreateParams => ({
  currency,
  line_items: lines.map(({ productId, amount, isTaxExempt }) => ({
    amount: toStripe(amount, currency),
    reference: productId,
    tax_behavior: taxBehavior,
    ...(isTaxExempt && { tax_code: untaxable }),
  })),
  customer_details: {
    address: {
      country: buyer.country,
      ...(buyer.state !== null && { state: buyer.state.replace(`${buyer.country}-`, '') }),
      ...(buyer.city !== null && { city: buyer.city }),
      ...(buyer.postalCode !== null && { postal_code: buyer.postalCode }),
      ...(buyer.line1 !== null && { line1: buyer.line1 }),
    },
    address_source: 'billing',
    ...(buyer.taxId && { tax_ids: [{ value: buyer.taxId[0], type: buyer.taxId[1] as TaxIdType }] }),
  },
})

/** The contract's kinds of tax numbers are Stripe's. */
type TaxIdType = Stripe.Tax.CalculationCreateParams.CustomerDetails.TaxId.Type

/** Stripe's tax types in the words of the rate table; all others in capitals. */
const names: Readonly<Record<string, string>> = {
  vat: 'VAT',
  sales_tax: 'Sales tax',
  jct: 'Consumption tax',
  gst: 'GST',
  hst: 'HST',
  pst: 'PST',
  qst: 'QST',
  rst: 'RST',
}

const treatments: Readonly<Record<string, SaleTax['treatment']>> = {
  reverse_charge: 'reverse_charge',
  product_exempt: 'exempt',
  product_exempt_holiday: 'exempt',
  customer_exempt: 'exempt',
  not_subject_to_tax: 'exempt',
  zero_rated: 'taxed',
}

/**
 * Rejects an answer whose parts do not add up, because the charge must match the invoice. Where Stripe counts in units
 * smaller than the currency has, the total is rounded and its parts are split to match.
 */
function toSaleTax(
  { tax_breakdown: breakdown, tax_amount_exclusive: added, tax_amount_inclusive: contained }: Stripe.Tax.Calculation,
  currency: string,
): SaleTax {
  const whole = added + contained
  const taxed = breakdown.filter(({ amount }) => amount !== 0)
  const amounts = taxed.map(({ amount }) => amount)
  if (amounts.reduce((sum, amount) => sum + amount, 0) !== whole)
    throw new Error(`Stripe's tax parts ${JSON.stringify(amounts)} do not add up to ${whole}`)
  const parts = split(Math.round(fromStripe(whole, currency)), amounts)
  const lines = taxed.map(({ taxable_amount: taxableAmount, tax_rate_details: rate }, index) => ({
    name: names[rate.tax_type ?? ''] ?? (rate.tax_type ?? 'Tax').replaceAll('_', ' ').toUpperCase(),
    country: rate.country ?? '',
    state: rate.state && rate.country ? `${rate.country}-${rate.state}` : null,
    percent: String(Number(rate.percentage_decimal)),
    taxableAmount: Math.round(fromStripe(taxableAmount, currency)),
    amount: parts[index]!, // one for each
  }))
  const [reason = ''] = breakdown.map(({ taxability_reason }) => taxability_reason)
  return { treatment: lines.length > 0 ? 'taxed' : (treatments[reason] ?? 'not_registered'), lines }
}
