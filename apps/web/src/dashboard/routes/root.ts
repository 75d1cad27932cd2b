import { createRootRouteWithContext, lazyRouteComponent } from '@tanstack/react-router'
import type { DashboardContext } from '../context.ts'
import { BrokenPage, NotFoundPage } from '../parts/states.tsx'
import { Shell } from '../shell.tsx'
import { texts } from '../texts.ts'

/**
 * A page whose code loads when it opens. Without a connection it says so: the router would reload the document for a
 * missing file, and the browser would replace the dashboard by its own error page.
 */
export const page = <Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
) =>
  lazyRouteComponent(
    () =>
      load().catch((cause) => {
        throw navigator.onLine ? cause : new Error(texts.failure.noAnswer, { cause })
      }),
    name,
  )

/** The frame of every page. */
export const root = createRootRouteWithContext<DashboardContext>()({
  component: Shell,
  notFoundComponent: NotFoundPage,
  errorComponent: BrokenPage,
})
