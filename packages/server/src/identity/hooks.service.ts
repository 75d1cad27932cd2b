import type { HookUser } from '../config.ts'
import type { Context } from '../context.ts'
import { type Departures, tellDepartures } from '../organization/deletion.ts'

/** Tells the application, after the commit: its failure is logged, and fails nobody. */

export const tellUserCreated = (ctx: Context, user: HookUser): void => tell(ctx, 'onUserCreated', user)

/** Of whatever ended along with the user, too. */
export function tellUserDeleted(ctx: Context, user: HookUser & { readonly departures: Departures }): void {
  tellDepartures(ctx, user.departures)
  tell(ctx, 'onUserDeleted', user)
}

function tell(ctx: Context, name: 'onUserCreated' | 'onUserDeleted', { id, email, name: shown }: HookUser): void {
  const hook = ctx.config.hooks[name]
  if (hook) ctx.background(name, async () => hook({ id, email, name: shown }))
}
