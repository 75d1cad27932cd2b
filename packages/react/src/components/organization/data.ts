import { includesStatements, type Statements, splitRoles } from '@tollgate/contract/calls'
import type { OrganizationFrame, OrganizationPages, PageMember, PageRole } from '@tollgate/contract/pages'

/** An organization's pages, in the order of the navigation. */
export const sections = ['overview', 'members', 'invitations', 'teams', 'roles', 'settings', 'audit', 'danger'] as const

export type OrganizationSection = (typeof sections)[number]

/** The data of a section's page. */
export type SectionData<Section extends OrganizationSection = OrganizationSection> =
  OrganizationPages[`organization-${Section}`]

/** Whether the viewer has a permission here. The server decides again; this only selects what to offer. */
export const may = ({ member, isOwner }: OrganizationFrame, resource: string, action: string): boolean =>
  isOwner || includesStatements(member.permissions, { [resource]: [action] })

/** Whether the viewer sees a section at all. */
export function sees(frame: OrganizationFrame, section: OrganizationSection): boolean {
  switch (section) {
    case 'teams':
      return frame.features.teams
    case 'roles':
      return may(frame, 'ac', 'read')
    case 'settings':
      return may(frame, 'organization', 'update')
    case 'audit':
      return may(frame, 'audit', 'read')
    default:
      return true
  }
}

/**
 * The roles that the viewer may grant and revoke: none above their own permissions, and the owner's role only for
 * owners.
 */
export const grantable = (frame: OrganizationFrame): readonly PageRole[] =>
  frame.isOwner
    ? frame.roles
    : frame.roles.filter(
        ({ name, permissions }) =>
          name !== frame.ownerRole && includesStatements(frame.member.permissions, permissions),
      )

/** Whether the viewer has every permission of a member. */
export function mayManage(frame: OrganizationFrame, { role }: Pick<PageMember, 'role'>): boolean {
  if (frame.isOwner) return true
  const names = new Set(grantable(frame).map(({ name }) => name))
  return splitRoles(role).every((name) => names.has(name))
}

/** What the viewer may do to a member here. The only owner keeps that role, and viewers leave by themselves. */
export function rightsOver(data: SectionData<'members'>, member: PageMember) {
  const you = member.user.id === data.session.user.id
  const isOnlyOwner = data.soleOwner && splitRoles(member.role).includes(data.ownerRole)
  const managed = mayManage(data, member)
  const mayChange = managed && may(data, 'member', 'update')
  return {
    you,
    isOnlyOwner,
    managed,
    /** Whether roles can be added. */
    mayChange,
    /** Whether another role can take the place of those that they have. */
    mayReplace: mayChange && !isOnlyOwner,
    mayRemove: managed && !isOnlyOwner && !you && may(data, 'member', 'delete'),
  }
}

/** All permissions of these roles. */
export function permissionsOf(roles: readonly PageRole[], names: readonly string[]): Statements {
  const held: Record<string, string[]> = {}
  for (const { name, permissions } of roles) {
    if (!names.includes(name)) continue
    for (const [resource, actions] of Object.entries(permissions))
      held[resource] = [...new Set([...(held[resource] ?? []), ...actions])]
  }
  return held
}
