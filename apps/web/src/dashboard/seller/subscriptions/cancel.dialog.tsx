import { NativeSelect, Textarea } from '@mantine/core'
import type { Subscription } from '@tollgate/contract/billing-types'
import { useState } from 'react'
import { useSeller } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { textOf } from '../../parts/form.ts'
import { QuotePanel, useQuote } from './quote-panel.tsx'
import { changed } from './subscription-refusals.ts'
import { subscriptionsWords } from './subscriptions.texts.ts'

const words = subscriptionsWords.cancel
const { reasons } = subscriptionsWords.subscription

type Reason = keyof typeof reasons
const isReason = (text: string): text is Reason => Object.hasOwn(reasons, text)

type Credit = keyof typeof subscriptionsWords.pause.credits
const isCredit = (text: string): text is Credit => Object.hasOwn(subscriptionsWords.pause.credits, text)

type Props = { subscription: Subscription; opened: boolean; onClose: () => void }

/** Cancels a subscription, at the end of its period or at once. */
export function CancelDialog({ subscription, ...frame }: Props) {
  const { billing } = useSeller()
  const { id, cancelAtPeriodEnd, status } = subscription
  const [when, setWhen] = useState<'end' | 'now'>(cancelAtPeriodEnd ? 'now' : 'end')
  const [credit, setCredit] = useState<Credit>('none')
  const how =
    when === 'now'
      ? { revoke: true as const, ...(credit !== 'none' && { credit }) }
      : { cancelAtPeriodEnd: true as const }
  const preview = useQuote(id, how, frame.opened)

  async function cancel(form: FormData) {
    const reason = textOf(form, 'customer_cancellation_reason')
    const said = {
      customerCancellationReason: isReason(reason) ? reason : null,
      customerCancellationComment: textOf(form, 'customer_cancellation_comment') || null,
    }
    // What is credited equals what is shown.
    const quoteId = when === 'now' ? preview.data?.id : null
    await changed(billing.updateSubscription({ id, ...how, ...said, ...(quoteId && { quoteId }) }))
    return when === 'now' ? words.ended : words.planned
  }

  return (
    <ActionDialog
      {...frame}
      title={words.title}
      text={when === 'now' && credit !== 'none' ? words.text.credited : words.text[when]}
      submit={words.submit}
      danger
      run={cancel}
    >
      {(errorOf) => (
        <>
          {cancelAtPeriodEnd ? null : (
            <NativeSelect
              label={words.when}
              data={[
                { value: 'end', label: words.choices.end },
                { value: 'now', label: words.choices.now },
              ]}
              value={when}
              onChange={(event) => setWhen(event.currentTarget.value === 'now' ? 'now' : 'end')}
              data-autofocus
            />
          )}
          {when === 'now' && status === 'active' ? (
            <NativeSelect
              name="credit"
              label={words.credit}
              data={Object.entries(subscriptionsWords.pause.credits).map(([value, label]) => ({ value, label }))}
              value={credit}
              error={errorOf('credit')}
              onChange={({ currentTarget: { value } }) => {
                if (isCredit(value)) setCredit(value)
              }}
            />
          ) : null}
          <NativeSelect
            name="customer_cancellation_reason"
            label={words.reason}
            data={[
              { value: '', label: words.noReason },
              ...Object.entries(reasons).map(([value, label]) => ({ value, label })),
            ]}
            error={errorOf('customer_cancellation_reason')}
          />
          <Textarea
            name="customer_cancellation_comment"
            label={words.comment}
            rows={2}
            maxLength={1000}
            error={errorOf('customer_cancellation_comment')}
          />
          <QuotePanel preview={preview} subscription={subscription} />
        </>
      )}
    </ActionDialog>
  )
}
