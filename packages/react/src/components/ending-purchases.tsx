import { useMessages, useText, useTollgateContext } from '../provider.tsx'
import type { DeletionPreview } from './deletion-preview.ts'

type Purchases = DeletionPreview['purchases']

/** An amount in minor units. The server says the currency's places: our table of them is part of what checkouts load. */
const moneyText = ({ amount, currency, places }: Purchases['due'][number], locale: string): string =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  }).format(amount / 10 ** places)

/** What a deletion ends of subscriptions, open payments and saved cards; nothing where there are none. */
export function EndingPurchases({ purchases }: { purchases: Purchases }) {
  const { locale } = useTollgateContext()
  const texts = useMessages('endingPurchases')
  const t = useText()
  const { subscriptions, subscriptionCount, voided, due, paymentMethodCount } = purchases
  const date = (at: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(at))
  const amounts = (open: Purchases['due']) =>
    new Intl.ListFormat(locale).format(open.map((sum) => moneyText(sum, locale)))
  return (
    <>
      {subscriptionCount > 0 ? (
        <>
          <p>{texts.subscriptions}</p>
          <ul data-tg="list">
            {subscriptions.map(({ id, product, seller, currentPeriodEnd }) => (
              <li key={id}>
                {currentPeriodEnd
                  ? t(texts.until, { product, seller, date: date(currentPeriodEnd) })
                  : t(texts.one, { product, seller })}
              </li>
            ))}
            {subscriptionCount > subscriptions.length ? (
              <li>{t(texts.more, { count: subscriptionCount - subscriptions.length })}</li>
            ) : null}
          </ul>
        </>
      ) : null}
      {voided.length > 0 ? <p>{t(texts.voided, { amounts: amounts(voided) })}</p> : null}
      {due.length > 0 ? <p>{t(texts.due, { amounts: amounts(due) })}</p> : null}
      {paymentMethodCount > 0 ? <p>{t(texts.cards, { count: paymentMethodCount })}</p> : null}
    </>
  )
}
