import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Product } from '@tollgate/contract/billing-types'
import { useState } from 'react'
import { useSeller } from '../../context.ts'
import { ArrangedList, moved } from '../../parts/arranged-list.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Refusals } from '../../parts/refusals.tsx'
import { answerOf } from '../../queries/answer.ts'
import { listQuery } from '../../queries/billing.ts'
import { priceText } from './price-text.ts'
import { productsWords } from './products.texts.ts'

const words = productsWords.order
/** The most products that a pricing page shows. */
const mostArranged = 50

/** Opens the order of the pricing page. Each move is saved at once. */
export function ArrangeButton() {
  const [isOpen, dialog] = useDisclosure()
  return (
    <>
      <Button variant="default" size="compact-md" onClick={dialog.open}>
        {words.open}
      </Button>
      <Dialog opened={isOpen} onClose={dialog.close} title={words.title}>
        <p className="quiet">{words.text}</p>
        <Order />
      </Dialog>
    </>
  )
}

type Move = { readonly product: Product; readonly position: number }

function Order() {
  const { billing, queries } = useSeller()
  const query = { isArchived: false, sorting: ['position' as const], limit: mostArranged }
  const { data, error } = useQuery(listQuery(['products', query], (options) => billing.listProducts(query, options)))
  /** The order that the seller has made, before the server's answer and after it. */
  const [order, setOrder] = useState<readonly Product[]>()
  const save = useMutation({
    // In order: each position assumes the moves before it.
    scope: { id: 'product-order' },
    mutationFn: ({ product, position }: Move) => answerOf(billing.updateProduct({ id: product.id, position })),
    onError: () => setOrder(undefined),
    onSettled: () => queries.invalidateQueries({ queryKey: ['billing'] }),
  })
  const products = order ?? data?.items ?? []
  const failure = save.error ?? error
  return (
    <>
      <div role="alert" className="alert-place">
        <Refusals messages={failure ? [failure.message] : []} />
      </div>
      <ArrangedList
        label={words.title}
        items={products}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        onMove={(from, to) => {
          const product = products[from]
          if (!product) return
          setOrder(moved(products, from, to))
          save.mutate({ product, position: to })
        }}
      >
        {(product) => (
          <span className="grow">
            {product.name} <span className="quiet">{product.prices[0] ? priceText(product.prices[0]) : ''}</span>
          </span>
        )}
      </ArrangedList>
    </>
  )
}
