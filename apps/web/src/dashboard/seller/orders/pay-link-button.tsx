import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { orderName } from '@tollgate/contract/billing'
import type { Order } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { momentText } from '../../parts/time.tsx'
import { answerOf, CallError } from '../../queries/answer.ts'
import { ordersWords } from './orders.texts.ts'

const words = ordersWords.order.payLink

/** Copies a link by which the customer pays an order that is due. */
export function PayLinkButton({ order, size }: { order: Order; size?: 'compact-sm' }) {
  const { billing } = useSeller()
  const { id } = order
  const link = useMutation({
    mutationFn: () => answerOf(billing.createPayLink({ id })),
    onSuccess: async ({ url, expiresAt }) => {
      // Without a secure context, browsers have no clipboard.
      const isCopied = await navigator.clipboard?.writeText(url).then(
        () => true,
        () => false,
      )
      notifications.show({
        message: isCopied ? words.copied(momentText(expiresAt)) : url,
        autoClose: !!isCopied && 8000,
      })
    },
    onError: (error) => {
      const isNotDue = error instanceof CallError && error.code === 'OrderNotDue'
      notifications.show({ message: isNotDue ? words.notDue : error.message, color: 'red' })
    },
  })
  return (
    <Button
      variant="default"
      {...(size && { size, 'aria-label': words.buttonOf(orderName(order)) })}
      aria-disabled={link.isPending || undefined}
      onClick={() => {
        if (!link.isPending) link.mutate()
      }}
    >
      {words.button}
    </Button>
  )
}
