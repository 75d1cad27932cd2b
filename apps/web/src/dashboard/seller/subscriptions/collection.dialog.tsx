import type { Subscription } from '@tollgate/contract/billing-types'
import { useState } from 'react'
import { useSeller } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { FieldError } from '../../parts/field-errors.ts'
import { CollectionFields, collectedBy, hasTerms, usualCollection } from './collection-fields.tsx'
import { changed } from './subscription-refusals.ts'
import { subscriptionsWords } from './subscriptions.texts.ts'

const words = subscriptionsWords.collecting

type Props = { subscription: Subscription; opened: boolean; onClose: () => void }

/** Changes how the orders of a subscription are collected, from its next order on. */
export function CollectionDialog({ subscription, ...frame }: Props) {
  const { billing } = useSeller()
  const { id, collectionMethod, netTermsDays } = subscription
  const [collection, setCollection] = useState({
    kind: collectionMethod,
    days: netTermsDays === null ? usualCollection.days : String(netTermsDays),
  })

  function check() {
    if (!hasTerms(collection)) throw new FieldError('net_terms_days', subscriptionsWords.creation.termsWrong)
  }

  async function change() {
    check()
    await changed(billing.updateSubscription({ id, collectionMethod: collection.kind, ...collectedBy(collection) }))
    return words.done
  }

  return (
    <ActionDialog {...frame} title={words.title} text={words.text} submit={words.submit} run={change} check={check}>
      {(errorOf) => <CollectionFields collection={collection} onChange={setCollection} errorOf={errorOf} />}
    </ActionDialog>
  )
}
