import type { QueryClient } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { type BillingClient, createBillingClient, createTollgateClient, type TollgateClient } from '@tollgate/client'
import type { DashboardAdministration, DashboardProps, DashboardSeller } from '@tollgate/contract/pages'
import { createOnce } from './queries/once.ts'

/** What every page of the dashboard works with; made once, when the document has been read. */
export type DashboardContext = {
  readonly props: DashboardProps
  readonly client: TollgateClient
  /** Calls about what is sold, for the organization that the document is about; the same sent again makes nothing twice. */
  readonly billing: BillingClient
  readonly queries: QueryClient
  /** The server's time: a development server's clock may be elsewhere, and the viewer's is never quite right. */
  now(): number
}

export function createDashboardContext(props: DashboardProps, queries: QueryClient): DashboardContext {
  const client = createTollgateClient({ basePath: props.basePath, initialSession: props.session })
  const billing = createBillingClient({
    ...(props.seller && { organizationId: props.seller.organization.id }),
    fetch: createOnce((url, init) => fetch(url, init)),
  })
  const offset = Date.parse(props.now) - performance.now()
  return { props, client, billing, queries, now: () => offset + performance.now() }
}

export const useDashboard = (): DashboardContext => useRouteContext({ from: '__root__' })

/** What administrators choose from; for the pages of administration only. */
export function useAdministration(): DashboardAdministration {
  const { administration } = useDashboard().props
  if (!administration) throw new Error('Only the pages below /admin have an administration')
  return administration
}

export type SellerContext = DashboardContext &
  DashboardSeller & {
    readonly slug: string
    /** Whether the viewer may do something with what is sold, such as `product`, `write`. */
    may(resource: string, action: string): boolean
  }

/** The organization that sells, and what the viewer may do in it; for the pages below `/dashboard` only. */
export function useSeller(): SellerContext {
  const context = useDashboard()
  const { seller } = context.props
  if (!seller) throw new Error('Only the pages below /dashboard have a seller')
  const may = (resource: string, action: string) => seller.permissions[resource]?.includes(action) ?? false
  return { ...context, ...seller, slug: seller.organization.slug, may }
}
