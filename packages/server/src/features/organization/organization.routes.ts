import type { organizationCalls } from '@tollgate/contract/calls'
import type { AuthRoutes } from '../identity/auth-routes.ts'
import { listOrganizationEvents } from './audit.service.ts'
import { createOrganization } from './creation.service.ts'
import { checkOrganizationSlug, deleteOrganization, updateOrganization } from './organization.service.ts'
import {
  getFullOrganization,
  getOrganization,
  listOrganizations,
  setActiveOrganization,
} from './organization-view.service.ts'
import { previewUserDeletion } from './overview.service.ts'
import { transferOwnership } from './transfer.service.ts'

export const organizationRoutes: AuthRoutes<typeof organizationCalls> = {
  createOrganization: ({ ctx, caller, session, body }) => createOrganization(ctx, caller, session, body),
  checkOrganizationSlug: ({ ctx, body }) => checkOrganizationSlug(ctx, body),
  updateOrganization: ({ ctx, session, body }) => updateOrganization(ctx, session, body),
  deleteOrganization: ({ ctx, caller, session, body }) => deleteOrganization(ctx, caller, session, body),
  listOrganizations: ({ ctx, caller, session, query }) => listOrganizations(ctx, caller, session, query),
  previewUserDeletion: ({ ctx, session }) => previewUserDeletion(ctx, session.user.id),
  getOrganization: ({ ctx, session, query }) => getOrganization(ctx, session, query),
  getFullOrganization: ({ ctx, caller, session, query }) => getFullOrganization(ctx, caller, session, query),
  setActiveOrganization: ({ ctx, caller, session, body }) => setActiveOrganization(ctx, caller, session, body),
  transferOwnership: ({ ctx, caller, session, body }) => transferOwnership(ctx, caller, session, body),
  listOrganizationEvents: ({ ctx, session, query }) => listOrganizationEvents(ctx, session, query),
}
