/** Entry `calls`: plain data for clients and browsers. Nothing here may import zod. */
import { authCalls } from './calls.generated.ts'

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
// Parts that an entrance page or a test uses alone.
export { identityCalls } from './identity.calls.ts'
export { invitationCalls } from './invitation.calls.ts'
export { joiningCalls } from './joining.calls.ts'
export { magicLinkCalls } from './magic-link.calls.ts'
export { memberCalls } from './member.calls.ts'
export { organizationCalls } from './organization.calls.ts'
export { genericProviderPattern, isSocialProvider, type SocialProvider, socialProviders } from './providers.ts'
export { socialCalls } from './social.calls.ts'
export { teamCalls } from './team.calls.ts'
export { usernameCalls } from './username.calls.ts'
export { authCalls }

/** A call's name is also the client's method and the service's function. */
export type AuthCallName = keyof typeof authCalls
