import type { QueryClient } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { type BillingClient, createBillingClient, createTollgateClient, type TollgateClient } from '@tollgate/client'
import type { DashboardAdministration, DashboardProps, DashboardSeller } from '@tollgate/contract/pages'
import { createLive, type Live, noLive } from './live.ts'
import { createOnce } from './queries/once.ts'

/** The dependencies of every dashboard page, created once at the start. */
export type DashboardContext = {
  readonly props: DashboardProps
  readonly client: TollgateClient
  /** Billing calls for the document's organization. A repeated request creates nothing twice. */
  readonly billing: BillingClient
  readonly queries: QueryClient
  /** The origin of the server, for addresses that are shown. */
  readonly origin: string
  /** Changes of the seller's objects, as they happen. */
  readonly live: Live
  /** The server's time: a development clock can be moved, and the viewer's clock is inexact. */
  now(): number
  /** Tells the page the server's time after the development clock has moved. */
  setNow(now: string): void
}

/** `ask` sends the calls: to the server, or within it. */
export function createDashboardContext(
  props: DashboardProps,
  queries: QueryClient,
  ask: typeof fetch,
): DashboardContext {
  const { basePath, origin, session, seller } = props
  const client = createTollgateClient({ baseURL: origin, basePath, initialSession: session, fetch: ask })
  const billing = createBillingClient({
    baseURL: origin,
    ...(seller && { organizationId: seller.organization.id }),
    fetch: createOnce(ask),
  })
  const offsetAt = (now: string) => Date.parse(now) - performance.now()
  let offset = offsetAt(props.now)
  const live = seller && typeof EventSource === 'function' ? createLive(seller.organization.slug) : noLive
  return {
    ...{ props, client, billing, queries, origin, live },
    now: () => offset + performance.now(),
    setNow: (now) => {
      offset = offsetAt(now)
    },
  }
}

export const useDashboard = (): DashboardContext => useRouteContext({ from: '__root__' })

/** Choices for administrators, on admin pages only. */
export function useAdministration(): DashboardAdministration {
  const { administration } = useDashboard().props
  if (!administration) throw new Error('Only the pages below /admin have an administration')
  return administration
}

export type SellerContext = DashboardContext &
  DashboardSeller & {
    readonly slug: string
    /** Whether the viewer has a billing permission, such as `product`, `write`. */
    may(resource: string, action: string): boolean
  }

/** The selling organization and the viewer's permissions, on pages below `/dashboard` only. */
export function useSeller(): SellerContext {
  const context = useDashboard()
  const { seller } = context.props
  if (!seller) throw new Error('Only the pages below /dashboard have a seller')
  const may = (resource: string, action: string) => seller.permissions[resource]?.includes(action) ?? false
  return { ...context, ...seller, slug: seller.organization.slug, may }
}
