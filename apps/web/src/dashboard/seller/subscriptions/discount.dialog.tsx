import { NativeSelect } from '@mantine/core'
import type { Subscription } from '@tollgate/contract/billing-types'
import { useState } from 'react'
import { useSeller } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { FieldError } from '../../parts/field-errors.ts'
import { useDiscountChoices } from './choices.ts'
import { QuotePanel, useQuote } from './quote-panel.tsx'
import { changed } from './subscription-refusals.ts'
import { subscriptionsWords } from './subscriptions.texts.ts'

const words = subscriptionsWords.discounting

type Props = { subscription: Subscription; opened: boolean; onClose: () => void }

/** Sets, replaces or removes the discount from the next period on; the next order is shown before. */
export function DiscountDialog({ subscription, ...frame }: Props) {
  const { billing } = useSeller()
  const { id, discountId: present } = subscription
  const [chosen, setChosen] = useState('')
  const discounts = useDiscountChoices(frame.opened).filter(({ value }) => value !== present)
  const discountId = chosen === 'none' ? null : chosen
  const preview = useQuote(id, chosen === '' ? undefined : { discountId }, frame.opened)

  function check() {
    if (chosen === '') throw new FieldError('discount_id', words.missing)
  }

  async function change() {
    check()
    if (!preview.data) throw preview.error ?? new Error(subscriptionsWords.change.loading)
    await changed(billing.updateSubscription({ id, discountId, quoteId: preview.data.id }))
    return discountId === null ? words.removed : words.done
  }

  return (
    <ActionDialog {...frame} title={words.title} text={words.text} submit={words.submit} run={change} check={check}>
      {(errorOf) => (
        <>
          <NativeSelect
            name="discount_id"
            label={subscriptionsWords.subscription.discount.title}
            data={[
              { value: '', label: words.choose },
              ...(present === null ? [] : [{ value: 'none', label: words.none }]),
              ...discounts,
            ]}
            value={chosen}
            error={errorOf('discount_id')}
            onChange={(event) => setChosen(event.currentTarget.value)}
            data-autofocus
          />
          {chosen === '' ? null : <QuotePanel preview={preview} subscription={subscription} />}
        </>
      )}
    </ActionDialog>
  )
}
