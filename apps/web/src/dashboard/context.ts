import type { QueryClient } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { createTollgateClient, type TollgateClient } from '@tollgate/client'
import type { DashboardProps } from '@tollgate/contract/pages'

/** What every page of the dashboard works with; made once, when the document has been read. */
export type DashboardContext = {
  readonly props: DashboardProps
  readonly client: TollgateClient
  readonly queries: QueryClient
  /** The server's time: a development server's clock may be elsewhere, and the viewer's is never quite right. */
  now(): number
}

export function createDashboardContext(props: DashboardProps, queries: QueryClient): DashboardContext {
  const client = createTollgateClient({ basePath: props.basePath, initialSession: props.session })
  const offset = Date.parse(props.now) - performance.now()
  return { props, client, queries, now: () => offset + performance.now() }
}

export const useDashboard = (): DashboardContext => useRouteContext({ from: '__root__' })
