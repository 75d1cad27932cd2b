/** How brands of cards write themselves, by the names that processors have for them. */
const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** A brand as it writes itself; one that is not known as its processor calls it. */
export const cardBrandName = (brand: string): string => brands[brand.toLowerCase()] ?? brand
