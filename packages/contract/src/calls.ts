/** Entry `calls`: plain data for clients and browsers. Nothing here may import zod. */
import { adminCalls } from './admin.calls.ts'
import { identityCalls } from './identity.calls.ts'
import { invitationCalls } from './invitation.calls.ts'
import { joiningCalls } from './joining.calls.ts'
import { jwtCalls } from './jwt.calls.ts'
import { magicLinkCalls } from './magic-link.calls.ts'
import { memberCalls } from './member.calls.ts'
import { organizationCalls } from './organization.calls.ts'
import { socialCalls } from './social.calls.ts'
import { teamCalls } from './team.calls.ts'
import { usernameCalls } from './username.calls.ts'

export {
  type AccessControl,
  type AccessRequest,
  type AccessRole,
  type Authorization,
  accessRole,
  type Connector,
  createAccessControl,
  includesStatements,
  organizationRoles,
  organizationStatements,
  type Statements,
  splitRoles,
} from './access-control.ts'
export type { AnyCall, Call, CallGroup, Feature, RateLimit, Signal } from './call.ts'
export { type CaptchaProvider, captchaFields, captchaHeader, captchaProviders } from './captcha.ts'
export { deletionMessages } from './deletion.ts'
export { type ErrorName, type ErrorRow, type ErrorValues, errorCode, errorMessage, errors } from './errors.ts'
export { genericProviderPattern, isSocialProvider, type SocialProvider, socialProviders } from './providers.ts'
export {
  adminCalls,
  identityCalls,
  invitationCalls,
  joiningCalls,
  jwtCalls,
  magicLinkCalls,
  memberCalls,
  organizationCalls,
  socialCalls,
  teamCalls,
  usernameCalls,
}

/** Every call of the auth API by name, which is also the client's method and the service's function. */
export const authCalls = {
  ...identityCalls,
  ...socialCalls,
  ...usernameCalls,
  ...magicLinkCalls,
  ...jwtCalls,
  ...organizationCalls,
  ...memberCalls,
  ...invitationCalls,
  ...teamCalls,
  ...joiningCalls,
  ...adminCalls,
} as const

export type AuthCallName = keyof typeof authCalls
