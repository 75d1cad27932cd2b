import type { HookUser } from '../../foundation/config/config.ts'
import type { Context } from '../../foundation/context.ts'

/** Calls the application's hook after the commit. A failing hook is logged and fails no request. */

export const tellUserCreated = (ctx: Context, user: HookUser): void => tell(ctx, 'onUserCreated', user)

/** Calls the hooks for everything that ended along with the user, too. */
export function tellUserDeleted(ctx: Context, user: HookUser & { readonly tellDepartures: () => void }): void {
  user.tellDepartures()
  tell(ctx, 'onUserDeleted', user)
}

function tell(ctx: Context, name: 'onUserCreated' | 'onUserDeleted', { id, email, name: shown }: HookUser): void {
  const hook = ctx.config.hooks[name]
  if (hook) ctx.background(name, async () => hook({ id, email, name: shown }))
}
