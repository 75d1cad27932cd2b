import { useQuery } from '@tanstack/react-query'
import { useSeller } from '../../context.ts'
import { itemQuery, listQuery } from '../../queries/billing.ts'

/** As many as a list to choose from can hold and still be read. */
const mostProducts = 100

type Choice = { readonly value: string; readonly label: string }

/** The products that a list can be narrowed to; the one that it is narrowed to is always among them. */
export function useProductChoices(chosen: string | undefined): readonly Choice[] {
  const { billing, may } = useSeller()
  const query = { limit: mostProducts, sorting: ['name'] as ['name'] }
  const { data } = useQuery({
    ...listQuery(['products', query], (options) => billing.listProducts(query, options)),
    enabled: may('product', 'read'),
    staleTime: 60_000,
  })
  const choices = (data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const isMissing = chosen !== undefined && !choices.some(({ value }) => value === chosen)
  return isMissing ? [{ value: chosen, label: chosen }, ...choices] : choices
}

/** What a customer is called, for the chip of a filter; their id until that is known. */
export function useCustomerName(customerId: string | undefined): string {
  const { billing } = useSeller()
  const { data } = useQuery({
    ...itemQuery(['customer', customerId], (options) => billing.getCustomer({ id: customerId ?? '' }, options)),
    enabled: customerId !== undefined,
  })
  return data ? data.name || data.email : (customerId ?? '')
}
