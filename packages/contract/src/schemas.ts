/** Entry `schemas`: zod schemas of every call, for the server, the API description and tests. */
import { adminSchemas } from './admin.schemas.ts'
import { identitySchemas } from './identity.schemas.ts'
import { invitationSchemas } from './invitation.schemas.ts'
import { joiningSchemas } from './joining.schemas.ts'
import { jwtSchemas } from './jwt.schemas.ts'
import { magicLinkSchemas } from './magic-link.schemas.ts'
import { memberSchemas } from './member.schemas.ts'
import { organizationSchemas } from './organization.schemas.ts'
import { socialSchemas } from './social.schemas.ts'
import { teamSchemas } from './team.schemas.ts'
import { usernameSchemas } from './username.schemas.ts'

export type { Endpoint } from './endpoint.ts'
export { session, sessionAnswer, sessionUser, user } from './identity.schemas.ts'

/** Every call's shapes, by its name in `calls`. */
export const authSchemas = {
  ...identitySchemas,
  ...socialSchemas,
  ...usernameSchemas,
  ...magicLinkSchemas,
  ...jwtSchemas,
  ...organizationSchemas,
  ...memberSchemas,
  ...invitationSchemas,
  ...teamSchemas,
  ...joiningSchemas,
  ...adminSchemas,
} as const
