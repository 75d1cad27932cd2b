import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Subscription } from '@tollgate/contract/billing-types'
import { lazy, Suspense, useState } from 'react'
import { useSeller } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { useAsked } from '../../parts/asked.ts'
import { momentText } from '../../parts/time.tsx'
import { itemQuery } from '../../queries/billing.ts'
import type { SubscriptionDialogName } from './subscription-dialogs.tsx'
import { changed } from './subscription-refusals.ts'
import { subscriptionsWords } from './subscriptions.texts.ts'

const words = subscriptionsWords

type Of = { subscription: Subscription }

/** Loaded when one of them opens for the first time. */
const SubscriptionDialog = lazy(async () => ({
  default: (await import('./subscription-dialogs.tsx')).SubscriptionDialog,
}))

/** What the member may do with a subscription in its present state. */
export function SubscriptionActions({ subscription }: Of) {
  const { may } = useSeller()
  const { what, opening, ask, frame } = useAsked<SubscriptionDialogName>()
  const { status, cancelAtPeriodEnd, endedAt, pausedAt, pauseAtPeriodEnd, pendingUpdate, scheduledPhases } =
    subscription
  if (endedAt !== null || !may('subscription', 'write')) return null
  const isSettled = status === 'active' && !cancelAtPeriodEnd && !pauseAtPeriodEnd && scheduledPhases === 0
  return (
    <>
      {isSettled && may('product', 'read') ? (
        <Button variant="default" onClick={() => ask('change')}>
          {words.change.button}
        </Button>
      ) : null}
      {cancelAtPeriodEnd ? (
        <Button variant="default" onClick={() => ask('keep')}>
          {words.keep.button}
        </Button>
      ) : null}
      {isSettled && !pendingUpdate ? (
        <Button variant="default" onClick={() => ask('pause')}>
          {words.pause.button}
        </Button>
      ) : null}
      {pausedAt !== null || pauseAtPeriodEnd ? (
        <Button variant="default" onClick={() => ask('resume')}>
          {pausedAt === null ? words.resume.keepButton : words.resume.button}
        </Button>
      ) : null}
      <Button variant="default" onClick={() => ask('cancel')}>
        {cancelAtPeriodEnd ? words.cancel.nowButton : words.cancel.button}
      </Button>
      <Suspense>
        {what ? <SubscriptionDialog key={opening} what={what} subscription={subscription} {...frame} /> : null}
      </Suspense>
    </>
  )
}

/** What opens the choice of another discount, for subscriptions that go on. */
export function DiscountButton({ subscription }: Of) {
  const { may } = useSeller()
  const { status, cancelAtPeriodEnd, pauseAtPeriodEnd, discountId } = subscription
  const isOngoing = (status === 'active' || status === 'trialing') && !cancelAtPeriodEnd && !pauseAtPeriodEnd
  if (!isOngoing || !may('discount', 'read')) return null
  const label = discountId === null ? words.discounting.set : words.discounting.button
  return <DialogButton subscription={subscription} what="discount" label={label} />
}

/** What opens the choice between the saved card and invoices, until the subscription ends. */
export const CollectionButton = ({ subscription }: Of) =>
  subscription.endedAt === null ? (
    <DialogButton subscription={subscription} what="collection" label={words.collecting.button} />
  ) : null

/** A small button that opens a dialog, for members who may change the subscription. */
function DialogButton({ subscription, what: wanted, label }: Of & { what: SubscriptionDialogName; label: string }) {
  const { may } = useSeller()
  const { what, opening, ask, frame } = useAsked<SubscriptionDialogName>()
  if (!may('subscription', 'write')) return null
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => ask(wanted)}>
        {label}
      </Button>
      <Suspense>
        {what ? <SubscriptionDialog key={opening} what={what} subscription={subscription} {...frame} /> : null}
      </Suspense>
    </>
  )
}

/** A change that waits for the end of the period, and the way to discard it. */
export function PendingChange({ subscription: { id, pendingUpdate } }: Of) {
  const { billing, may } = useSeller()
  const [isAsking, setAsking] = useState(false)
  const productId = pendingUpdate?.productId ?? ''
  const { data: product } = useQuery({
    ...itemQuery(['product', productId], (options) => billing.getProduct({ id: productId }, options)),
    enabled: productId !== '' && may('product', 'read'),
  })
  if (!pendingUpdate) return null
  const when = momentText(pendingUpdate.appliesAt)
  return (
    <div className="notice" data-tone="info">
      <span className="grow">
        {productId === ''
          ? words.pending.quantity(pendingUpdate.quantity ?? 1, when)
          : words.pending.text(product?.name ?? words.pending.other, when)}
      </span>
      {may('subscription', 'write') ? (
        <Button variant="default" size="compact-sm" onClick={() => setAsking(true)}>
          {words.pending.button}
        </Button>
      ) : null}
      <ActionDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={words.pending.title}
        text={words.pending.explained}
        submit={words.pending.button}
        run={async () => {
          await changed(billing.updateSubscription({ id, pendingUpdate: null }))
          return words.pending.done
        }}
      />
    </div>
  )
}
