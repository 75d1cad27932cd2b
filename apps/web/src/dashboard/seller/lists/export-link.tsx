import { type BillingCallName, billingCalls, billingPath, toWire } from '@tollgate/contract/billing'
import type { BillingQuery } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { DownloadLink } from '../../parts/download-link.tsx'

export type Export = Extract<
  BillingCallName,
  'exportOrders' | 'exportPayments' | 'exportRefunds' | 'exportDisputes' | 'exportSubscriptions' | 'exportTimeline'
>

type Props<Name extends Export> = {
  name: Name
  /** Filters of the rows; default: all of the organization. */
  query?: Omit<BillingQuery<Name>, 'organizationId'>
}

/** A link that downloads a list as a file. */
export function ExportLink<Name extends Export>({ name, query }: Props<Name>) {
  const { organization } = useSeller()
  const given = toWire({ organizationId: organization.id, ...query }) as Readonly<Record<string, unknown>> // an object stays an object
  const pairs = Object.entries(given).flatMap(([key, value]) =>
    [value].flat().flatMap((each) => (each === undefined ? [] : [[key, String(each)]])),
  )
  return <DownloadLink href={`${billingPath}${billingCalls[name].path}?${new URLSearchParams(pairs)}`} />
}
