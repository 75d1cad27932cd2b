import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { DashboardProps } from '@tollgate/contract/pages'
import { colorScheme } from './color-scheme.ts'
import type { createDashboardRouter } from './router.tsx'
import { cssVariables, theme } from './theme.ts'

type Props = {
  props: DashboardProps
  queries: QueryClient
  router: ReturnType<typeof createDashboardRouter>
  nonce: string
}

/** The whole dashboard, as the server draws it first and the browser goes on with it. */
export function Dashboard({ props, queries, router, nonce }: Props) {
  const home = props.seller ? `/dashboard/${encodeURIComponent(props.seller.organization.slug)}` : '/admin'
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      getStyleNonce={() => nonce}
      colorSchemeManager={colorScheme(home, props.scheme)}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
      <Notifications position="bottom-right" autoClose={6_000} />
    </MantineProvider>
  )
}
