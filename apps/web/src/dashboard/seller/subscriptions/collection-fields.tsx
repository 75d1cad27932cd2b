import { NativeSelect, TextInput } from '@mantine/core'
import type { BillingBody } from '@tollgate/contract/billing-types'
import type { ReactNode } from 'react'
import { subscriptionsWords } from './subscriptions.texts.ts'

const words = subscriptionsWords.creation

/** How a subscription is collected; `days` is what the seller types for an invoice. */
export type Collection = { readonly kind: keyof typeof words.collections; readonly days: string }
const isKind = (text: string): text is Collection['kind'] => Object.hasOwn(words.collections, text)

export const usualCollection: Collection = { kind: 'charge_automatically', days: '30' }

/** Whether the terms are days that an invoice may have. */
export const hasTerms = ({ kind, days }: Collection): boolean =>
  kind === 'charge_automatically' || (/^\d{1,2}$/.test(days.trim()) && Number(days) <= 90)

export const collectedBy = ({ kind, days }: Collection): Partial<BillingBody<'previewSubscription'>> =>
  kind === 'charge_automatically' ? {} : { collectionMethod: kind, netTermsDays: Number(days) }

type Props = {
  collection: Collection
  onChange: (collection: Collection) => void
  errorOf: (field: string) => ReactNode
}

/** Whether the saved card pays, or invoices ask for the money, and how long the customer has for them. */
export function CollectionFields({ collection, onChange, errorOf }: Props) {
  return (
    <>
      <NativeSelect
        name="collection_method"
        label={subscriptionsWords.subscription.facts.collection}
        data={Object.entries(words.collections).map(([value, label]) => ({ value, label }))}
        value={collection.kind}
        error={errorOf('collection_method')}
        onChange={({ currentTarget: { value } }) => {
          if (isKind(value)) onChange({ ...collection, kind: value })
        }}
      />
      {collection.kind === 'send_invoice' ? (
        <TextInput
          name="net_terms_days"
          label={words.terms}
          description={words.termsHint}
          inputMode="numeric"
          autoComplete="off"
          value={collection.days}
          error={errorOf('net_terms_days')}
          onChange={(event) => onChange({ ...collection, days: event.currentTarget.value })}
        />
      ) : null}
    </>
  )
}
