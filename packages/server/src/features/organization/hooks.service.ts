import type { HookMember, HookOrganization, TollgateConfig } from '../../foundation/config/config.ts'
import type { Context } from '../../foundation/context.ts'

/** Notifies the application, after the commit; a failing hook is logged and fails no request. */

export const tellOrganizationCreated = (ctx: Context, organization: HookOrganization): void =>
  tell(ctx, 'onOrganizationCreated', toHookOrganization(organization))

export const tellOrganizationDeleted = (ctx: Context, organization: HookOrganization): void =>
  tell(ctx, 'onOrganizationDeleted', toHookOrganization(organization))

export const tellMemberAdded = (ctx: Context, member: HookMember): void =>
  tell(ctx, 'onMemberAdded', toHookMember(member))

export const tellMemberRemoved = (ctx: Context, member: HookMember): void =>
  tell(ctx, 'onMemberRemoved', toHookMember(member))

type Hooks = NonNullable<TollgateConfig['hooks']>
type HookName = 'onOrganizationCreated' | 'onOrganizationDeleted' | 'onMemberAdded' | 'onMemberRemoved'

function tell<Name extends HookName>(ctx: Context, name: Name, what: Parameters<NonNullable<Hooks[Name]>>[0]): void {
  const hook = ctx.config.hooks[name] as ((given: typeof what) => unknown) | undefined // of the same name
  if (hook) ctx.background(name, async () => hook(what))
}

/** Hooks get the documented fields only, not the whole row. */
const toHookOrganization = ({ id, name, slug }: HookOrganization): HookOrganization => ({ id, name, slug })

const toHookMember = ({ id, organizationId, userId, role }: HookMember): HookMember => ({
  id,
  organizationId,
  userId,
  role,
})
