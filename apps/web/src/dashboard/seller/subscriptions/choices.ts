import { useQuery } from '@tanstack/react-query'
import type { Product } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { listQuery } from '../../queries/billing.ts'

/** What dialogs about subscriptions choose from. */

export type Choice = { readonly value: string; readonly label: string }

const byName = { limit: 100, sorting: ['name'] as ['name'] }

/** Products that a customer can subscribe to, by name. */
export function useRecurringProducts(isOpen: boolean): readonly Product[] {
  const { billing } = useSeller()
  const query = { ...byName, isRecurring: true, isArchived: false }
  const { data } = useQuery({
    ...listQuery(['products', query], (options) => billing.listProducts(query, options)),
    enabled: isOpen,
  })
  return data?.items ?? []
}

export const asChoice = ({ id, name }: { readonly id: string; readonly name: string }): Choice => ({
  value: id,
  label: name,
})

/** Discounts, by name. */
export function useDiscountChoices(isOpen: boolean): readonly Choice[] {
  const { billing, may } = useSeller()
  const { data } = useQuery({
    ...listQuery(['discounts', byName], (options) => billing.listDiscounts(byName, options)),
    enabled: isOpen && may('discount', 'read'),
  })
  return (data?.items ?? []).map(asChoice)
}
