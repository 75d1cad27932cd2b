/** The client of better-auth 1.2.8; from this folder the name resolves to that version. */
export { createAuthClient } from 'better-auth/client'
export {
  adminClient,
  emailOTPClient,
  genericOAuthClient,
  jwtClient,
  magicLinkClient,
  organizationClient,
  usernameClient,
} from 'better-auth/client/plugins'
