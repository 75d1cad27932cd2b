/** Display names of card brands, by the processors' names. */
const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** The display name of a brand; an unknown brand keeps its processor's name. */
export const cardBrandName = (brand: string): string => brands[brand.toLowerCase()] ?? brand
