import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type BillingCallName, billingCalls, billingPath, toWire } from '@tollgate/contract/billing'
import type { BillingQuery } from '@tollgate/contract/billing-types'
import { useSeller } from '../context.ts'
import { exportWords } from './documents.texts.ts'

type Export = Extract<
  BillingCallName,
  'exportOrders' | 'exportPayments' | 'exportRefunds' | 'exportSubscriptions' | 'exportTimeline'
>

type Props<Name extends Export> = {
  name: Name
  /** Which rows; all of the organization, unless it is said. */
  query?: Omit<BillingQuery<Name>, 'organizationId'>
}

/** Leads to a list as a file: the browser saves it. */
export function ExportLink<Name extends Export>({ name, query }: Props<Name>) {
  const { organization } = useSeller()
  const given = toWire({ organizationId: organization.id, ...query }) as Readonly<Record<string, unknown>> // of an object it makes an object
  const pairs = Object.entries(given).flatMap(([key, value]) =>
    [value].flat().flatMap((each) => (each === undefined ? [] : [[key, String(each)]])),
  )
  return (
    <Button
      component="a"
      variant="default"
      href={`${billingPath}${billingCalls[name].path}?${new URLSearchParams(pairs)}`}
      download
      leftSection={<IconDownload size={16} stroke={1.6} aria-hidden />}
    >
      {exportWords.link}
    </Button>
  )
}
