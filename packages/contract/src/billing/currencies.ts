/**
 * The currencies that people pay in, by ISO 4217 code, without metals and test codes. The table is our own because
 * browsers and server versions differ: an amount means the same wherever it is read.
 */
export const currencyCodes: readonly string[] = [
  'aed afn all amd aoa ars aud awg azn bam bbd bdt bhd bif bmd bnd bob brl bsd btn bwp byn bzd cad cdf chf clp cny cop',
  'crc cup cve czk djf dkk dop dzd egp ern etb eur fjd fkp gbp gel ghs gip gmd gnf gtq gyd hkd hnl htg huf idr ils inr',
  'iqd irr isk jmd jod jpy kes kgs khr kmf kpw krw kwd kyd kzt lak lbp lkr lrd lsl lyd mad mdl mga mkd mmk mnt mop mru',
  'mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sdg',
  'sek sgd shp sle sos srd ssp stn svc syp szl thb tjs tmt tnd top try ttd twd tzs uah ugx usd uyu uzs ves vnd vuv wst',
  'xaf xcd xcg xof xpf yer zar zmw zwg',
].flatMap((line) => line.split(' '))

/** ISO gives the ariary two decimal places, but it divides by five, its small coins are gone, and people write none. */
const withoutPlaces = 'bif clp djf gnf isk jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf'
const withThreePlaces = 'bhd iqd jod kwd lyd omr tnd'

/** The decimal places of a currency's amounts, in either case of its letters: a dollar has 2, a yen none. */
export function placesOf(currency: string): number {
  const code = currency.toLowerCase()
  if (withoutPlaces.split(' ').includes(code)) return 0
  return withThreePlaces.split(' ').includes(code) ? 3 : 2
}

/** Stripe takes no payments in the first line, and in the second only amounts that end in 0. */
const notAtStripe = [
  'btn cup ern ghs iqd irr kpw lyd mru sdg ssp stn svc syp tmt ves zwg',
  'bhd jod kwd omr tnd', // taxes and discounts turn a price into any amount
]

/** Whether Stripe takes payments of any amount in a currency (docs.stripe.com/currencies). */
export const isSoldByStripe = (currency: string): boolean =>
  !notAtStripe.some((codes) => codes.split(' ').includes(currency.toLowerCase()))

/**
 * Stripe's minimum payments in minor units, where it pays out in the payment's currency (docs.stripe.com/currencies,
 * "Minimum and maximum charge amounts", as of November 2026).
 */
const leastAtStripe: Readonly<Record<string, number>> = {
  aed: 200,
  aud: 50,
  bgn: 100,
  brl: 50,
  cad: 50,
  chf: 50,
  czk: 1500,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  huf: 17_500,
  inr: 50,
  jpy: 50,
  mxn: 1000,
  myr: 200,
  nok: 300,
  nzd: 50,
  pln: 200,
  ron: 200,
  sek: 300,
  sgd: 50,
  thb: 1000,
  usd: 50,
}

/** Maximum payments, from the same page: eight digits of Stripe's units, and more in these. */
const mostAtStripe: Readonly<Record<string, number>> = {
  cop: 9_999_999_999,
  huf: 9_999_999_999,
  idr: 999_999_999_999,
  inr: 999_999_999,
  jpy: 9_999_999_999,
  lbp: 99_999_999_999,
}

/** Minimum and maximum of a payment, in minor units. */
export type PaymentLimits = { readonly least: number; readonly most: number }

/**
 * Stripe's limits in a currency. If it pays out in another one, the minimum is an equivalent that only Stripe knows;
 * Stripe itself then refuses smaller payments.
 */
export function limitsAtStripe(currency: string): PaymentLimits {
  const code = currency.toLowerCase()
  return { least: leastAtStripe[code] ?? 1, most: mostAtStripe[code] ?? Math.floor(99_999_999 / stripeUnits(code)) }
}

/** Stripe's units per minor unit of ours: it counts hundredths of two currencies that have none. */
export const stripeUnits = (currency: string): number => (['isk', 'ugx'].includes(currency.toLowerCase()) ? 100 : 1)
