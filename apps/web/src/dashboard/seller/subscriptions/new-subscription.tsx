import { Button } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useSeller } from '../../context.ts'
import { useAsked } from '../../parts/asked.ts'
import { subscriptionsWords as words } from './subscriptions.texts.ts'

/** Loaded when it opens for the first time. */
const NewSubscriptionDialog = lazy(async () => ({
  default: (await import('./new-subscription.dialog.tsx')).NewSubscriptionDialog,
}))

type Props = {
  /** Whose subscription it is; without one the dialog asks. */
  customerId?: string
  isSmall?: boolean
}

/** What opens the dialog that begins a subscription without a checkout. */
export function NewSubscriptionButton({ customerId, isSmall }: Props) {
  const { may, maySell } = useSeller()
  const { what, opening, ask, frame } = useAsked<'begin'>()
  if (!maySell || !may('subscription', 'write') || !may('product', 'read') || !may('customer', 'read')) return null
  return (
    <>
      <Button
        variant={isSmall ? 'default' : 'filled'}
        {...(isSmall && { size: 'compact-sm' })}
        onClick={() => ask('begin')}
      >
        {words.creation.button}
      </Button>
      <Suspense>
        {what ? <NewSubscriptionDialog key={opening} {...(customerId && { customerId })} {...frame} /> : null}
      </Suspense>
    </>
  )
}
