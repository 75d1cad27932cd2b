import { type BillingCallName, billingCalls, billingPath, toWire } from '@tollgate/contract/billing'
import type { ComponentProps } from 'react'
import { useSeller } from '../../context.ts'
import { DownloadLink } from '../../parts/download-link.tsx'

export type Export = Extract<
  BillingCallName,
  | 'exportCheckoutLinks'
  | 'exportCustomers'
  | 'exportCustomFields'
  | 'exportDiscounts'
  | 'exportMeters'
  | 'exportOrders'
  | 'exportPayments'
  | 'exportProducts'
  | 'exportRefunds'
  | 'exportDisputes'
  | 'exportSubscriptions'
  | 'exportTimeline'
>

type Props = Omit<ComponentProps<typeof DownloadLink>, 'href'> & {
  name: Export
  /** Filters of the rows; default: all of the organization. */
  query?: object
}

/** What lists call the bounds that files have, too. */
type Days = { readonly createdAfter?: string; readonly createdBefore?: string }

/** A link that downloads a list as a file. */
export function ExportLink({ name, query = {}, ...look }: Props) {
  const { organization } = useSeller()
  const { createdAfter, createdBefore, ...rest } = query as Days // of any list
  const days = { startTimestamp: createdAfter, endTimestamp: createdBefore }
  const given = toWire({ organizationId: organization.id, ...rest, ...days }) as Readonly<Record<string, unknown>> // an object stays an object
  const pairs = Object.entries(given).flatMap(([key, value]) =>
    [value].flat().flatMap((each) => (each === undefined ? [] : [[key, String(each)]])),
  )
  return <DownloadLink {...look} href={`${billingPath}${billingCalls[name].path}?${new URLSearchParams(pairs)}`} />
}
