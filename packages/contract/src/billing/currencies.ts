/**
 * The currencies that people pay in, by their letters in ISO 4217: neither metals, nor codes that stand for no currency. A table
 * of our own, because browsers and servers of other versions know other ones: an amount means the same wherever it is read.
 */
export const currencyCodes: readonly string[] = [
  'aed afn all amd aoa ars aud awg azn bam bbd bdt bhd bif bmd bnd bob brl bsd btn bwp byn bzd cad cdf chf clp cny cop',
  'crc cup cve czk djf dkk dop dzd egp ern etb eur fjd fkp gbp gel ghs gip gmd gnf gtq gyd hkd hnl htg huf idr ils inr',
  'iqd irr isk jmd jod jpy kes kgs khr kmf kpw krw kwd kyd kzt lak lbp lkr lrd lsl lyd mad mdl mga mkd mmk mnt mop mru',
  'mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sdg',
  'sek sgd shp sle sos srd ssp stn svc syp szl thb tjs tmt tnd top try ttd twd tzs uah ugx usd uyu uzs ves vnd vuv wst',
  'xaf xcd xcg xof xpf yer zar zmw zwg',
].flatMap((line) => line.split(' '))

/** Of the ariary ISO counts two places; but it is divided by five, in coins that nobody has, and nobody writes any. */
const withoutPlaces = 'bif clp djf gnf isk jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf'
const withThreePlaces = 'bhd iqd jod kwd lyd omr tnd'

/** How many decimal places amounts of a currency have, in either case of its letters: 100 minor units are a dollar, and a yen has none. */
export function placesOf(currency: string): number {
  const code = currency.toLowerCase()
  if (withoutPlaces.split(' ').includes(code)) return 0
  return withThreePlaces.split(' ').includes(code) ? 3 : 2
}

/** What Stripe takes no payments in: in the first line altogether, in the second only amounts that end in 0. */
const notAtStripe = [
  'btn cup ern ghs iqd irr kpw lyd mru sdg ssp stn svc syp tmt ves zwg',
  'bhd jod kwd omr tnd', // what taxes and discounts make of a price ends in anything
]

/** Whether Stripe takes payments of any amount in a currency (docs.stripe.com/currencies). */
export const isSoldByStripe = (currency: string): boolean =>
  !notAtStripe.some((codes) => codes.split(' ').includes(currency.toLowerCase()))

/** Of our minor unit of a currency, how many are Stripe's: it counts hundredths of two that have none. */
export const stripeUnits = (currency: string): number => (['isk', 'ugx'].includes(currency.toLowerCase()) ? 100 : 1)
