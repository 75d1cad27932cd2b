import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { BillingAnswer, BillingBody, Subscription } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { Waiting } from '../../parts/states.tsx'
import { itemQuery } from '../../queries/billing.ts'
import { QuoteTicket } from './quote-ticket.tsx'
import { subscriptionsWords } from './subscriptions.texts.ts'

const words = subscriptionsWords.change

type Quote = BillingAnswer<'previewSubscriptionChange'>

/** The quote of a change that a dialog asks for; none while `asked` is undefined. */
export function useQuote(
  id: string,
  asked: BillingBody<'previewSubscriptionChange'> | undefined,
  isOpen: boolean,
): UseQueryResult<Quote> {
  const { billing } = useSeller()
  return useQuery({
    ...itemQuery(['subscription-preview', id, JSON.stringify(asked)], (options) =>
      billing.previewSubscriptionChange({ id, ...asked }, options),
    ),
    enabled: isOpen && asked !== undefined,
    retry: false,
    meta: { isQuote: true },
    staleTime: 0,
  })
}

type Props = {
  preview: Pick<UseQueryResult<Quote>, 'data' | 'error' | 'isFetching'>
  subscription: Pick<Subscription, 'currency' | 'currentPeriodEnd' | 'discount' | 'collectionMethod'>
}

/** A quote below the choices of a dialog, as the invoice will look. */
export function QuotePanel({ preview: { data, error, isFetching }, subscription }: Props) {
  return (
    <section aria-label={words.preview} className="panel" aria-live="polite" aria-busy={isFetching}>
      {error ? <p className="panel-text">{error.message}</p> : null}
      {!data && !error ? <Waiting label={words.loading} rows={3} /> : null}
      {data ? <QuoteTicket quote={data} subscription={subscription} /> : null}
    </section>
  )
}
