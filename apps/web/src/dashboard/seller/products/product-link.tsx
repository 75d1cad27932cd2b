import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import type { BillingClient } from '@tollgate/client'
import { useSeller } from '../../context.ts'
import { outward } from '../../parts/open-link.tsx'
import { answerOf } from '../../queries/answer.ts'
import { shareWords as words } from './products.texts.ts'

type Sold = { readonly id: string; readonly name: string }

/** Most letters of a link's label. */
const longestLabel = 256

/** Most links that are looked through for one of a product alone. */
const most = 100

/** The address that sells a product and nothing else, at its price: that of a link that there is, else of a new one. */
async function addressOf(billing: BillingClient, { id, name }: Sold): Promise<string> {
  const { items } = await answerOf(billing.listCheckoutLinks({ productId: [id], limit: most }))
  const own = items.find(({ products, discountId }) => products.length === 1 && discountId === null)
  if (own) return own.url
  return (await answerOf(billing.createCheckoutLink({ products: [id], label: name.slice(0, longestLabel) }))).url
}

/** What is done with the link of a product, once there is one. */
function useProductLink<Given>(product: Sold, then: (url: string, given: Given) => unknown) {
  const { billing, queries } = useSeller()
  return useMutation({
    mutationFn: async (given: Given) => then(await addressOf(billing, product), given),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['billing', 'checkout-links'] }),
  })
}

const tell = (error: Error) => notifications.show({ color: 'red', message: error.message })

/** Opens a checkout of the product, in a tab that is there before the link is known: a later one would be held back. */
export function TryButton({ product, size = 'sm' }: { product: Sold; size?: string }) {
  const { mutate, isPending } = useProductLink(product, (url, tab: Window | null) => {
    if (tab) tab.location.replace(url)
    else location.assign(url)
  })
  function open() {
    if (isPending) return
    const tab = window.open('about:blank', '_blank')
    if (tab) tab.opener = null
    mutate(tab, {
      onError: (error) => {
        tab?.close()
        tell(error)
      },
    })
  }
  return (
    <Button variant="default" size={size} rightSection={outward} onClick={open} aria-disabled={isPending || undefined}>
      {words.try}
    </Button>
  )
}

/** Copies the address that sells the product; where a browser does not let us, shows it. */
export function CopyLinkButton({ product }: { product: Sold }) {
  const { mutate, isPending } = useProductLink(product, (url) =>
    navigator.clipboard.writeText(url).then(
      () => notifications.show({ message: words.copied }),
      () => notifications.show({ message: words.notCopied(url), autoClose: false }),
    ),
  )
  return (
    <Button
      variant="default"
      onClick={() => !isPending && mutate(undefined, { onError: tell })}
      aria-disabled={isPending || undefined}
    >
      {words.copy}
    </Button>
  )
}
