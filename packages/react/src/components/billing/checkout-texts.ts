import type { ClientError, InputIssue } from '@tollgate/client'
import type { CheckoutPublic } from '@tollgate/contract/billing-types'
import { billingErrorTexts, cardTexts, declineTexts } from '../../i18n/billing-error-text.ts'
import { useMessages, useText, useTollgateContext } from '../../provider.tsx'
import { controlOfIssue, type Problem } from './checkout-values.ts'
import { amountText, formatMoney } from './money.ts'

/** Errors in words, by the control that they belong to. */
export type Errors = Readonly<Record<string, string>>

/** What a buyer sets the price of. */
type Sold = Pick<CheckoutPublic, 'currency' | 'productPrice'>

/** Refusals for the buyer, in the page's language. */
export function useCheckoutTexts() {
  const { locale } = useTollgateContext()
  const texts = useMessages('billingErrors')
  const common = useMessages('errors')
  const t = useText()

  const own = (table: Readonly<Record<string, keyof typeof texts>>, code: string): string | undefined =>
    Object.hasOwn(table, code) ? t(texts[table[code]!]) : undefined
  const money = (amount: number, currency: string): string => formatMoney(amount, currency, locale)
  const day = (date: string): string =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(date))
  const limit = (value: number | string | undefined, currency?: string): string | number => {
    if (typeof value === 'string') return day(value)
    return value !== undefined && currency !== undefined ? formatMoney(value, currency, locale) : (value ?? '')
  }

  function issue(control: string, { msg, type, loc }: InputIssue, sold: Sold | undefined): string {
    if (type === 'missing') return texts.required
    const { currency = '' } = sold ?? {}
    const price = sold?.productPrice.amountType === 'custom' ? sold.productPrice : undefined
    switch (control) {
      case 'email':
        return texts.emailInvalid
      case 'amount':
        if (type === 'greater_than_equal' && price?.minimumAmount != null)
          return t(texts.amountTooSmall, { min: money(price.minimumAmount, currency) })
        if (type === 'less_than_equal' && price?.maximumAmount != null)
          return t(texts.amountTooLarge, { max: money(price.maximumAmount, currency) })
        return t(texts.amountInvalid, { example: amountText(1250, currency, locale) })
      case 'currency':
        return texts.currencyUnavailable
      case 'discountCode':
        return /redeemable/.test(msg) ? texts.discountUsedUp : texts.discountInvalid
      case 'taxId':
        return texts.taxIdInvalid
      case 'productId':
        return texts.archived
      case 'cardNumber':
        return loc[1] === 'confirmation_token_id' ? texts.cardAgain : texts.cardUnknown
      case 'cardExpiry':
        return texts.cardExpiryInvalid
      case 'cardCode':
        return texts.cardCodeInvalid
      case 'country':
      case 'state':
      case 'city':
      case 'postalCode':
      case 'line1':
      case 'line2':
        return texts.addressInvalid
      default:
        return texts.fieldInvalid
    }
  }

  return {
    totalChanged: texts.totalChanged,
    code: (code: string) => own(billingErrorTexts, code) ?? common.unexpected,
    decline: (reason: string) => own(declineTexts, reason) ?? texts.declined,
    card: (problem: string) =>
      problem === 'unreachable'
        ? common.offline
        : (own(cardTexts, problem) ?? own(declineTexts, problem) ?? texts.declined),
    refusal: ({ code = '', status, statusText, retryAfter, message }: ClientError): string => {
      if (status === 429)
        return retryAfter ? t(common.tooManyRequests, { count: retryAfter }) : common.tooManyRequestsSoon
      if (status === 503) return common.busy
      if (statusText === 'Fetch error') return common.offline
      return own(billingErrorTexts, code) ?? message ?? common.unexpected
    },
    problems: (found: Readonly<Record<string, Problem>>): Errors =>
      Object.fromEntries(
        Object.entries(found).map(([control, { text, count = 0, min, max, currency }]) => [
          control,
          t(texts[text], {
            count,
            min: limit(min, currency),
            max: limit(max, currency),
            example: currency === undefined ? '' : amountText(1250, currency, locale),
          }),
        ]),
      ),
    issues: (issues: readonly InputIssue[], sold?: Sold): Errors =>
      Object.fromEntries(
        issues.flatMap((each) => {
          const control = controlOfIssue(each)
          return control === undefined ? [] : [[control, issue(control, each, sold)]]
        }),
      ),
  }
}
