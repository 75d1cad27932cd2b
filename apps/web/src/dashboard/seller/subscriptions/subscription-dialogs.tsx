import type { Subscription } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { CancelDialog } from './cancel.dialog.tsx'
import { ChangePlanDialog } from './change-plan.dialog.tsx'
import { CollectionDialog } from './collection.dialog.tsx'
import { DiscountDialog } from './discount.dialog.tsx'
import { PauseDialog, ResumeDialog } from './pause.dialog.tsx'
import { changed } from './subscription-refusals.ts'
import { subscriptionsWords as words } from './subscriptions.texts.ts'

type Props = { subscription: Subscription; opened: boolean; onClose: () => void }

/** Takes back a cancellation at the end of the period. */
function KeepDialog({ subscription: { id }, ...frame }: Props) {
  const { billing } = useSeller()
  return (
    <ActionDialog
      {...frame}
      title={words.keep.title}
      text={words.keep.text}
      submit={words.keep.button}
      run={async () => {
        await changed(billing.updateSubscription({ id, cancelAtPeriodEnd: false }))
        return words.keep.done
      }}
    />
  )
}

const dialogs = {
  change: ChangePlanDialog,
  collection: CollectionDialog,
  discount: DiscountDialog,
  cancel: CancelDialog,
  keep: KeepDialog,
  pause: PauseDialog,
  resume: ResumeDialog,
}

export type SubscriptionDialogName = keyof typeof dialogs

/** One of the dialogs that change a subscription. */
export function SubscriptionDialog({ what, ...props }: Props & { what: SubscriptionDialogName }) {
  const Dialog = dialogs[what]
  return <Dialog {...props} />
}
