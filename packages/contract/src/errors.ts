/**
 * Every refusal of the service, in one table.
 *
 * The key is the internal name that domain code throws. `code` and `message` are wire values and may repeat: general,
 * verification and username texts are the specification's (section 8) word for word. Without a `code`, the wire code
 * is the message upper-cased, blanks as `_`, everything outside A–Z 0–9 `_` dropped (auth contract, section 1).
 */
export type ErrorRow = {
  /** HTTP status. */
  readonly status: 400 | 401 | 402 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 422 | 429 | 500 | 503
  /** Wire text, in English: it helps the caller and reveals nothing about other people's accounts. */
  readonly message: string
  /** Wire code where it differs from the one derived from the message. */
  readonly code?: string
}

export const errors = {
  // The request itself
  VALIDATION_ERROR: { status: 400, message: 'Invalid body parameters', code: 'VALIDATION_ERROR' },
  INVALID_QUERY: { status: 400, message: 'Invalid query parameters', code: 'VALIDATION_ERROR' },
  MALFORMED_JSON: { status: 400, message: 'Invalid JSON in request body', code: 'INVALID_JSON_IN_REQUEST_BODY' },
  MALFORMED_REQUEST: { status: 400, message: 'Malformed request' },
  JSON_TOO_DEEP: { status: 400, message: 'JSON is nested too deeply' },
  BODY_TOO_LARGE: { status: 413, message: 'Request body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Unsupported media type' },
  NOT_FOUND: { status: 404, message: 'Not found' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'Method not allowed' },
  UNAUTHORIZED: { status: 401, message: 'Unauthorized' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests. Please try again later.', code: 'TOO_MANY_REQUESTS' },
  SERVICE_BUSY: { status: 503, message: 'The service is busy. Please try again later.', code: 'SERVICE_BUSY' },
  SERVICE_UNAVAILABLE: { status: 503, message: 'The service is temporarily unavailable.', code: 'SERVICE_UNAVAILABLE' },
  INTERNAL_SERVER_ERROR: { status: 500, message: 'Internal server error' },

  CLOCK_MOVES_FORWARD_ONLY: { status: 422, message: 'The clock only moves forward' },

  // Origin and callback URL checks (specification, section 5)
  INVALID_ORIGIN: { status: 403, message: 'Invalid origin' },
  INVALID_CALLBACK_URL: { status: 403, message: 'Invalid callbackURL' },
  INVALID_REDIRECT_URL: { status: 403, message: 'Invalid redirectURL' },
  INVALID_ERROR_CALLBACK_URL: { status: 403, message: 'Invalid errorCallbackURL' },
  INVALID_NEW_USER_CALLBACK_URL: { status: 403, message: 'Invalid newUserCallbackURL' },
  CALLBACK_URL_REQUIRED: { status: 400, message: 'callbackURL is required' },

  // Accounts and sessions (specification, section 8, general and other messages)
  USER_NOT_FOUND: { status: 400, message: 'User not found' },
  FAILED_TO_CREATE_SESSION: { status: 500, message: 'Failed to create session' },
  FAILED_TO_GET_SESSION: { status: 400, message: 'Failed to get session' },
  SESSION_NOT_FOUND: { status: 400, message: 'Session not found' },
  SESSION_OF_ANOTHER_USER: { status: 401, message: 'Unauthorized' },
  SESSION_EXPIRED: { status: 400, message: 'Session expired. Re-authenticate to perform this action.' },
  SESSION_IS_NOT_FRESH: { status: 403, message: 'Session is not fresh' },
  SESSION_DATA_TOO_LARGE: { status: 400, message: 'Session data is too large', code: 'SESSION_DATA_TOO_LARGE' },
  INVALID_PASSWORD: { status: 400, message: 'Invalid password' },
  INVALID_EMAIL: { status: 400, message: 'Invalid email' },
  INVALID_EMAIL_OR_PASSWORD: { status: 401, message: 'Invalid email or password' },
  EMAIL_NOT_VERIFIED: { status: 403, message: 'Email not verified' },
  PASSWORD_TOO_SHORT: { status: 400, message: 'Password too short' },
  PASSWORD_TOO_LONG: { status: 400, message: 'Password too long' },
  PASSWORD_BREACHED: { status: 400, message: 'Password has appeared in a data breach' },
  USER_ALREADY_EXISTS: { status: 422, message: 'User already exists' },
  CREDENTIAL_ACCOUNT_NOT_FOUND: { status: 400, message: 'Credential account not found' },
  USER_ALREADY_HAS_A_PASSWORD: { status: 400, message: 'user already has a password' },
  EMAIL_AND_PASSWORD_DISABLED: { status: 400, message: 'Email and password is not enabled' },
  SIGN_UP_DISABLED: { status: 400, message: 'Email and password sign up is not enabled' },
  EITHER_USER_ID_OR_SESSION_REQUIRED: { status: 400, message: 'Either userId or session is required' },
  SETUP_TOKEN_INVALID: { status: 400, message: 'invalid token' },
  INVALID_NAME: { status: 400, message: 'Invalid name' },
  INVALID_IMAGE: { status: 400, message: 'Invalid image' },
  PICTURE_UNREADABLE: {
    status: 400,
    message: 'Send a picture as JPEG, PNG or WebP',
    code: 'PICTURE_UNREADABLE',
  },
  PICTURE_TOO_LARGE: { status: 400, message: 'The picture has too many pixels', code: 'PICTURE_TOO_LARGE' },

  // Verification and reset
  VERIFICATION_EMAIL_DISABLED: { status: 400, message: "Verification email isn't enabled" },
  RESET_PASSWORD_DISABLED: { status: 400, message: "Reset password isn't enabled" },
  RESET_TOKEN_INVALID: { status: 400, message: 'invalid token' },
  VERIFY_INVALID_TOKEN: { status: 401, message: 'invalid_token' },
  VERIFY_TOKEN_EXPIRED: { status: 401, message: 'token_expired' },
  VERIFY_USER_NOT_FOUND: { status: 401, message: 'user_not_found' },
  VERIFY_UNAUTHORIZED: { status: 401, message: 'unauthorized' },
  UNABLE_TO_CREATE_VERIFICATION: { status: 500, message: 'Unable to create verification' },

  // Changing the account
  CHANGE_EMAIL_DISABLED: { status: 400, message: 'Change email is disabled' },
  EMAIL_IS_THE_SAME: { status: 400, message: 'Email is the same' },
  COULDNT_UPDATE_YOUR_EMAIL: { status: 400, message: "Couldn't update your email" },
  EMAIL_CAN_NOT_BE_UPDATED: { status: 400, message: 'Email can not be updated' },
  DELETE_USER_DISABLED: { status: 404, message: 'Not found' },
  DELETE_USER_NO_SESSION: { status: 404, message: 'Failed to get user info' },
  DELETE_TOKEN_INVALID: { status: 404, message: 'invalid token' },

  // Bans and impersonation
  BANNED_USER: {
    status: 403,
    message: 'You have been banned from this application. Please contact support if you believe this is an error.',
    code: 'BANNED_USER',
  },
  NOT_ALLOWED_WHILE_IMPERSONATING: { status: 403, message: 'Not allowed while impersonating' },

  // Providers and linked accounts (specification, section 8; auth contract, section 4)
  PROVIDER_NOT_FOUND: { status: 404, message: 'Provider not found' },
  ID_TOKEN_NOT_SUPPORTED: { status: 404, message: 'id_token not supported' },
  ID_TOKEN_INVALID: { status: 401, message: 'invalid token' },
  FAILED_TO_GET_USER_INFO: { status: 401, message: 'Failed to get user info' },
  USER_EMAIL_NOT_FOUND: { status: 401, message: 'User email not found' },
  LINKING_NOT_ALLOWED: { status: 403, message: 'Linking not allowed' },
  ACCOUNT_NOT_LINKED: { status: 401, message: 'account not linked' },
  ACCOUNT_LINKED_TO_ANOTHER_USER: { status: 401, message: 'account already linked to different user' },
  SOCIAL_SIGN_UP_DISABLED: { status: 401, message: 'signup disabled' },
  ACCOUNT_NOT_FOUND: { status: 400, message: 'Account not found' },
  CANNOT_UNLINK_LAST_ACCOUNT: { status: 400, message: "You can't unlink your last account" },
  PROVIDER_NOT_SUPPORTED: { status: 400, message: 'Provider {provider} is not supported.' },
  TOKEN_REFRESH_NOT_SUPPORTED: { status: 400, message: 'Provider {provider} does not support token refreshing.' },
  FAILED_TO_GET_ACCESS_TOKEN: { status: 400, message: 'Failed to get a valid access token' },
  FAILED_TO_REFRESH_ACCESS_TOKEN: { status: 400, message: 'Failed to refresh access token' },

  // Callback codes (specification, section 8): never answers, only `?error=` of a redirect
  CALLBACK_INVALID_REQUEST: { status: 400, message: 'invalid_callback_request', code: 'invalid_callback_request' },
  CALLBACK_STATE_NOT_FOUND: { status: 400, message: 'state_not_found', code: 'state_not_found' },
  CALLBACK_RESTART: { status: 400, message: 'please_restart_the_process', code: 'please_restart_the_process' },
  CALLBACK_NO_CODE: { status: 400, message: 'no_code', code: 'no_code' },
  CALLBACK_PROVIDER_NOT_FOUND: { status: 400, message: 'oauth_provider_not_found', code: 'oauth_provider_not_found' },
  CALLBACK_INVALID_CODE: { status: 400, message: 'invalid_code', code: 'invalid_code' },
  CALLBACK_NO_USER_INFO: { status: 400, message: 'unable_to_get_user_info', code: 'unable_to_get_user_info' },
  CALLBACK_NO_EMAIL: { status: 400, message: 'email_not_found', code: 'email_not_found' },
  CALLBACK_NO_CALLBACK_URL: { status: 400, message: 'no_callback_url', code: 'no_callback_url' },
  CALLBACK_LINKED_TO_ANOTHER_USER: {
    status: 400,
    message: 'account_already_linked_to_different_user',
    code: 'account_already_linked_to_different_user',
  },
  CALLBACK_UNABLE_TO_LINK: { status: 400, message: 'unable_to_link_account', code: 'unable_to_link_account' },
  CALLBACK_NOT_LINKED: { status: 400, message: 'account_not_linked', code: 'account_not_linked' },
  CALLBACK_OTHER_EMAIL: { status: 400, message: 'email_does_not_match', code: 'email_does_not_match' },
  CALLBACK_UNABLE_TO_CREATE_USER: { status: 400, message: 'unable_to_create_user', code: 'unable_to_create_user' },
  CALLBACK_UNABLE_TO_CREATE_SESSION: {
    status: 400,
    message: 'unable_to_create_session',
    code: 'unable_to_create_session',
  },
  CALLBACK_SIGN_UP_DISABLED: { status: 400, message: 'signup_disabled', code: 'signup_disabled' },
  CALLBACK_BANNED: { status: 403, message: 'banned', code: 'banned' },
  CALLBACK_FAULT: { status: 500, message: 'internal_server_error', code: 'internal_server_error' },

  // Usernames (specification, sections 5 and 8)
  USERNAME_TOO_SHORT: { status: 422, message: 'username is too short' },
  USERNAME_TOO_LONG: { status: 422, message: 'username is too long' },
  USERNAME_INVALID: { status: 422, message: 'username is invalid' },
  USERNAME_TAKEN: { status: 422, message: 'username is already taken. please try another.' },
  INVALID_USERNAME_OR_PASSWORD: { status: 401, message: 'invalid username or password' },
  USERNAME_EMAIL_NOT_VERIFIED: { status: 403, message: 'email not verified' },
  USERNAME_UNEXPECTED_ERROR: { status: 500, message: 'unexpected error' },

  // Mailed links and codes
  MAGIC_LINK_INVALID_TOKEN: { status: 401, message: 'INVALID_TOKEN', code: 'INVALID_TOKEN' },
  MAGIC_LINK_EXPIRED_TOKEN: { status: 401, message: 'EXPIRED_TOKEN', code: 'EXPIRED_TOKEN' },
  MAGIC_LINK_FAILED_TO_CREATE_USER: {
    status: 401,
    message: 'failed_to_create_user',
    code: 'failed_to_create_user',
  },
  INVALID_OTP: { status: 400, message: 'Invalid OTP' },
  OTP_EXPIRED: { status: 400, message: 'OTP expired' },
  TOO_MANY_ATTEMPTS: { status: 403, message: 'Too many attempts' },

  // Captcha
  CAPTCHA_MISSING: { status: 400, message: 'Missing CAPTCHA response' },
  CAPTCHA_FAILED: { status: 403, message: 'Captcha verification failed' },
  CAPTCHA_UNAVAILABLE: { status: 503, message: 'Captcha verification is unavailable. Please try again later.' },

  // Organizations (specification, section 8; auth contract, section 6). One text may come with several statuses.
  ORGANIZATION_ALREADY_EXISTS: { status: 400, message: 'Organization already exists' },
  ORGANIZATION_NOT_FOUND: { status: 400, message: 'Organization not found' },
  ORGANIZATION_CREATE_NOT_ALLOWED: { status: 403, message: 'You are not allowed to create a new organization' },
  ORGANIZATION_LIMIT_REACHED: { status: 403, message: 'You have reached the maximum number of organizations' },
  ORGANIZATION_UPDATE_NOT_ALLOWED: { status: 403, message: 'You are not allowed to update this organization' },
  ORGANIZATION_DELETE_NOT_ALLOWED: { status: 403, message: 'You are not allowed to delete this organization' },
  ORGANIZATION_DELETION_DISABLED: { status: 403, message: 'Organization deletion is disabled' },
  ORGANIZATION_TRANSFER_NOT_ALLOWED: { status: 403, message: 'You are not allowed to transfer this organization' },
  ORGANIZATION_EVENTS_NOT_ALLOWED: {
    status: 403,
    message: 'You are not allowed to list the events of this organization',
  },
  ORGANIZATION_ID_REQUIRED: { status: 400, message: 'Organization ID is required' },
  NO_ACTIVE_ORGANIZATION: { status: 400, message: 'No active organization' },
  SLUG_TAKEN: { status: 400, message: 'slug is taken' },
  INVALID_SLUG: { status: 400, message: 'Invalid slug' },
  INVALID_LOGO: { status: 400, message: 'Invalid logo' },
  METADATA_TOO_LARGE: { status: 400, message: 'Metadata is too large' },
  /** The caller names it to change it. */
  NOT_A_MEMBER: { status: 400, message: 'User is not a member of the organization' },
  /** The caller names it to read it. */
  NOT_A_MEMBER_FORBIDDEN: { status: 403, message: 'User is not a member of the organization' },
  NOT_A_MEMBER_UNAUTHORIZED: { status: 401, message: 'User is not a member of the organization' },
  YOU_ARE_NOT_A_MEMBER: { status: 403, message: 'You are not a member of this organization' },
  ORGANIZATION_WANTS_VERIFIED_EMAIL: {
    status: 403,
    message: 'This organization is for people with a verified email address',
    code: 'EMAIL_VERIFICATION_REQUIRED',
  },

  // Members and roles
  MEMBER_NOT_FOUND: { status: 400, message: 'Member not found' },
  MEMBER_DELETE_NOT_ALLOWED: { status: 401, message: 'You are not allowed to delete this member' },
  MEMBER_UPDATE_NOT_ALLOWED: { status: 403, message: 'You are not allowed to update this member' },
  ONLY_OWNER: { status: 400, message: 'You cannot leave the organization as the only owner' },
  MEMBERSHIP_LIMIT_REACHED: { status: 403, message: 'Organization membership limit reached' },
  ALREADY_A_MEMBER: { status: 400, message: 'User is already a member of this organization' },
  ROLE_NOT_FOUND: { status: 400, message: 'Role not found' },
  ROLE_CREATE_NOT_ALLOWED: { status: 403, message: 'You are not allowed to create a role' },
  ROLE_READ_NOT_ALLOWED: { status: 403, message: 'You are not allowed to read a role' },
  ROLE_LIST_NOT_ALLOWED: { status: 403, message: 'You are not allowed to list a role' },
  ROLE_UPDATE_NOT_ALLOWED: { status: 403, message: 'You are not allowed to update a role' },
  ROLE_DELETE_NOT_ALLOWED: { status: 403, message: 'You are not allowed to delete a role' },
  ROLE_NAME_TAKEN: { status: 400, message: 'That role name is already taken', code: 'ROLE_NAME_IS_ALREADY_TAKEN' },
  ROLE_NAME_INVALID: { status: 400, message: 'Invalid role name' },
  ROLE_IS_PREDEFINED: {
    status: 400,
    message: 'Cannot delete a pre-defined role',
    code: 'CANNOT_DELETE_A_PRE_DEFINED_ROLE',
  },
  ROLE_IS_ASSIGNED: {
    status: 400,
    message: 'Cannot delete a role that is assigned to members. Please reassign the members to a different role first',
    code: 'ROLE_IS_ASSIGNED_TO_MEMBERS',
  },
  ROLE_RESOURCE_INVALID: {
    status: 400,
    message: 'The provided permission includes an invalid resource',
    code: 'INVALID_RESOURCE',
  },
  TOO_MANY_ROLES: { status: 400, message: 'This organization has too many roles', code: 'TOO_MANY_ROLES' },

  // Invitations
  INVITE_NOT_ALLOWED: { status: 403, message: 'You are not allowed to invite users to this organization' },
  INVITE_ROLE_NOT_ALLOWED: { status: 403, message: 'you are not allowed to invite user with this role' },
  ALREADY_INVITED: { status: 400, message: 'User is already invited to this organization' },
  INVITATION_LIMIT_REACHED: { status: 403, message: 'Invitation limit reached' },
  INVITATION_NOT_FOUND: { status: 400, message: 'Invitation not found' },
  /** `get-invitation` and `reject-invitation` have their own texts for the same refusals. */
  INVITATION_GONE: { status: 400, message: 'Invitation not found!' },
  NOT_THE_RECIPIENT: { status: 403, message: 'You are not the recipient of the invitation' },
  INVITATION_CANCEL_NOT_ALLOWED: { status: 403, message: 'You are not allowed to cancel this invitation' },
  INVITER_NO_LONGER_A_MEMBER: { status: 400, message: 'Inviter is no longer a member of the organization' },
  FAILED_TO_RETRIEVE_INVITATION: { status: 400, message: 'Failed to retrieve invitation' },
  NOT_AUTHENTICATED: { status: 401, message: 'Not authenticated' },

  // Teams
  TEAM_NOT_FOUND: { status: 400, message: 'Team not found' },
  TEAM_LIMIT_REACHED: { status: 400, message: 'You have reached the maximum number of teams' },
  TEAM_CREATE_NOT_ALLOWED: { status: 403, message: 'You are not allowed to create teams in this organization' },
  TEAM_UPDATE_NOT_ALLOWED: { status: 403, message: 'You are not allowed to update this team' },
  TEAM_DELETE_NOT_ALLOWED: { status: 403, message: 'You are not allowed to delete this team' },
  TEAMS_DELETE_NOT_ALLOWED: { status: 403, message: 'You are not allowed to delete teams in this organization' },
  LAST_TEAM: { status: 400, message: 'Unable to remove last team' },
  TEAM_MEMBER_LIMIT_REACHED: { status: 403, message: 'Team member limit reached' },
  NOT_IN_THE_TEAM: { status: 400, message: 'User is not a member of the team' },
  TEAM_MEMBERS_NOT_ALLOWED: {
    status: 403,
    message: 'You are not allowed to list the members of this team',
    code: 'YOU_CAN_NOT_ACCESS_THE_MEMBERS_OF_THIS_TEAM',
  },
  NO_ACTIVE_TEAM: { status: 400, message: 'You do not have an active team' },
  TEAM_MEMBER_CREATE_NOT_ALLOWED: {
    status: 403,
    message: 'You are not allowed to create a new member',
    code: 'YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER',
  },
  TEAM_MEMBER_REMOVE_NOT_ALLOWED: { status: 403, message: 'You are not allowed to remove a team member' },

  // Links, domains and requests to join
  INVITATION_LINK_NOT_FOUND: { status: 400, message: 'Invitation link not found' },
  INVITATION_LINK_LIMIT_REACHED: { status: 403, message: 'Invitation link limit reached' },
  LINK_FOR_OTHER_DOMAINS: {
    status: 403,
    message: 'This link does not accept the domain of your email address',
    code: 'YOUR_EMAIL_ADDRESS_IS_NOT_OF_A_DOMAIN_THAT_MAY_JOIN',
  },
  JOIN_NOT_ALLOWED: { status: 403, message: 'You are not allowed to join this organization' },
  JOIN_ALREADY_REQUESTED: { status: 400, message: 'You have already asked to join this organization' },
  JOIN_REQUEST_NOT_FOUND: { status: 400, message: 'Join request not found' },
  JOIN_REQUESTS_NOT_ALLOWED: { status: 403, message: 'You are not allowed to answer requests to join' },
  DOMAIN_INVALID: { status: 400, message: 'Invalid domain' },
  DOMAIN_IS_PUBLIC: { status: 400, message: 'A domain of a public mail service cannot be claimed' },
  DOMAIN_ALREADY_ADDED: { status: 400, message: 'Domain is already added' },
  DOMAIN_LIMIT_REACHED: { status: 403, message: 'Domain limit reached' },
  DOMAIN_NOT_FOUND: { status: 400, message: 'Domain not found' },
  DOMAIN_TAKEN: { status: 400, message: 'Domain is verified by another organization' },
  DOMAIN_NOT_PROVEN: { status: 400, message: 'The DNS record was not found' },

  // Administration (auth contract, section 7)
  ADMIN_LIST_USERS: { status: 403, message: 'You are not allowed to list users' },
  ADMIN_GET_USER: { status: 403, message: 'You are not allowed to get user' },
  ADMIN_CREATE_USERS: { status: 403, message: 'You are not allowed to create users' },
  ADMIN_UPDATE_USERS: { status: 403, message: 'You are not allowed to update users' },
  ADMIN_CHANGE_ROLE: { status: 403, message: 'You are not allowed to change users role' },
  ADMIN_SET_PASSWORD: { status: 403, message: 'You are not allowed to set users password' },
  ADMIN_BAN_USERS: { status: 403, message: 'You are not allowed to ban users' },
  ADMIN_REMOVE_USERS: { status: 403, message: 'You are not allowed to delete users' },
  ADMIN_IMPERSONATE: { status: 403, message: 'You are not allowed to impersonate users' },
  ADMIN_IMPERSONATE_ADMIN: { status: 403, message: 'You cannot impersonate admins' },
  ADMIN_LIST_SESSIONS: { status: 403, message: 'You are not allowed to list users sessions' },
  ADMIN_REVOKE_SESSIONS: { status: 403, message: 'You are not allowed to revoke users sessions' },
  ADMIN_LIST_EVENTS: { status: 403, message: 'You are not allowed to list events' },
  ADMIN_LIST_ORGANIZATIONS: { status: 403, message: 'You are not allowed to list organizations' },
  ADMIN_DELETE_ORGANIZATIONS: { status: 403, message: 'You are not allowed to delete organizations' },
  ADMIN_SET_SELLING: { status: 403, message: 'You are not allowed to decide who may sell' },
  ADMIN_VERIFY_DOMAINS: { status: 403, message: 'You are not allowed to verify domains' },
  ADMIN_LIST_JOBS: { status: 403, message: 'You are not allowed to list jobs' },
  ADMIN_LIST_DISPUTES: { status: 403, message: 'You are not allowed to list disputes' },
  ADMIN_LIST_ATTENTION: { status: 403, message: 'You are not allowed to list money to check' },
  ADMIN_RESOLVE_ATTENTION: { status: 403, message: 'You are not allowed to resolve money to check' },
  ADMIN_ATTENTION_NOT_FOUND: { status: 404, message: 'Money to check not found' },
  ADMIN_ATTENTION_RESOLVED: { status: 409, message: 'Money to check is already resolved' },
  ADMIN_MANAGE_BRAND: { status: 403, message: 'You are not allowed to change the brand' },
  ADMIN_MANAGE_JOBS: { status: 403, message: 'You are not allowed to manage jobs' },
  ADMIN_JOB_NOT_FOUND: { status: 404, message: 'Job not found' },
  ADMIN_ORGANIZATION_NOT_FOUND: { status: 404, message: 'Organization not found' },
  ADMIN_CANNOT_BAN_YOURSELF: { status: 400, message: 'You cannot ban yourself' },
  ADMIN_CANNOT_REMOVE_YOURSELF: { status: 400, message: 'You cannot remove yourself' },
  ADMIN_LAST_ADMIN: { status: 400, message: 'The last administrator cannot be removed' },
  ADMIN_ROLE_UNKNOWN: { status: 400, message: 'You are not allowed to set a non-existent role value' },
  ADMIN_USER_ALREADY_EXISTS: { status: 400, message: 'User already exists' },
  ADMIN_USER_NOT_FOUND: { status: 404, message: 'User not found' },
  ADMIN_NOT_IMPERSONATING: { status: 400, message: 'You are not impersonating anyone' },
  // Billing (billing contract, section 1): its wire has `code` as `error`, the message as `detail`
  REQUEST_INVALID: { status: 422, message: 'The request is invalid.', code: 'RequestValidationError' },
  RESOURCE_NOT_FOUND: { status: 404, message: 'Not found', code: 'ResourceNotFound' },
  NOT_PERMITTED: { status: 403, message: 'Not permitted', code: 'NotPermitted' },
  INSUFFICIENT_SCOPE: {
    status: 403,
    message: 'The request requires higher privileges than provided by the access token.',
    code: 'insufficient_scope',
  },
  MERCHANT_NOT_APPROVED: {
    status: 403,
    message: 'This organization has not been approved to sell yet.',
    code: 'OrganizationNotApproved',
  },
  ALREADY_ACTIVE_SUBSCRIPTION: {
    status: 403,
    message: 'You already have an active subscription.',
    code: 'AlreadyActiveSubscriptionError',
  },
  TRIAL_ALREADY_REDEEMED: {
    status: 403,
    message: 'The free trial has already been used. Without it, the first period is paid now.',
    code: 'TrialAlreadyRedeemed',
  },
  NOT_OPEN_CHECKOUT: { status: 403, message: 'The checkout is not open.', code: 'NotOpenCheckout' },
  EXPIRED_CHECKOUT: { status: 410, message: 'The checkout has expired.', code: 'ExpiredCheckoutError' },
  PAYMENT_FAILED: { status: 400, message: '{reason}', code: 'PaymentError' },
  ALREADY_CANCELED_SUBSCRIPTION: {
    status: 403,
    message: 'This subscription is already canceled or will be at the end of the period.',
    code: 'AlreadyCanceledSubscription',
  },
  SUBSCRIPTION_NOT_ACTIVE: {
    status: 409,
    message: 'Only an active subscription can be changed.',
    code: 'SubscriptionNotActive',
  },
  SUBSCRIPTION_NOT_PAUSED: {
    status: 409,
    message: 'The subscription is not paused.',
    code: 'SubscriptionNotPaused',
  },
  SUBSCRIPTION_NOT_CANCELED: { status: 400, message: 'The subscription is not canceled.', code: 'BadRequest' },
  SUBSCRIPTION_ENDED: { status: 410, message: 'The subscription has ended.', code: 'SubscriptionEnded' },
  SUBSCRIPTION_CHANGE_PENDING: {
    status: 409,
    message: 'Another change to this subscription, or the order of its current period, is pending or being paid for.',
    code: 'SubscriptionChangePending',
  },
  SUBSCRIPTION_SCHEDULED: {
    status: 409,
    message: 'This subscription has a schedule. Remove it first.',
    code: 'SubscriptionScheduled',
  },
  PRICE_CHANGE_BEGUN: {
    status: 409,
    message: 'The price change has begun or was canceled.',
    code: 'PriceChangeBegun',
  },
  SUBSCRIPTION_PAYMENT_FAILED: { status: 402, message: '{reason}', code: 'PaymentFailed' },
  PAYMENT_METHOD_SETUP_FAILED: { status: 400, message: '{reason}', code: 'PaymentMethodSetupFailed' },
  PAYMENT_METHOD_NEEDED: {
    status: 400,
    message: 'A subscription needs this payment method. Add another one first, or cancel the subscription.',
    code: 'PaymentMethodInUseByActiveSubscription',
  },
  PAYMENT_METHOD_BUSY: {
    status: 409,
    message: 'A payment with this method is in progress. Try again once it is complete.',
    code: 'PaymentMethodBusy',
  },
  ORDER_NOT_DUE: { status: 409, message: 'No payment is due for this order.', code: 'OrderNotDue' },
  QUOTE_CHANGED: {
    status: 409,
    message: 'The quote no longer holds. Check the new quote, and confirm again.',
    code: 'QuoteChanged',
  },
  TOTAL_TOO_SMALL: { status: 400, message: 'The total is too small for a card payment.', code: 'TotalTooSmall' },
  TOTAL_TOO_LARGE: { status: 400, message: 'The total is too large for a card payment.', code: 'TotalTooLarge' },
  REFUND_AMOUNT_TOO_HIGH: {
    status: 400,
    message: 'The amount exceeds the refundable amount.',
    code: 'RefundAmountTooHigh',
  },
  REFUNDED_ALREADY: { status: 403, message: 'The order has already been refunded.', code: 'RefundedAlready' },
  REVOKE_SUBSCRIPTION_BENEFITS_PROHIBITED: {
    status: 400,
    message: 'A refund cannot revoke the benefits of a subscription. Cancel the subscription instead.',
    code: 'RevokeSubscriptionBenefitsProhibited',
  },
  REFUND_FAILED: { status: 400, message: '{reason}', code: 'RefundFailed' },
  WEBHOOK_SIGNATURE_INVALID: {
    status: 400,
    message: 'The signature does not match the request.',
    code: 'WebhookSignatureInvalid',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    message: 'This idempotency key was used for another request.',
    code: 'IdempotencyKeyReused',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    message: 'A request with this idempotency key is in progress.',
    code: 'IdempotencyKeyInUse',
  },
  IDEMPOTENCY_ANSWER_LOST: {
    status: 409,
    message: 'The request with this idempotency key ran, but its response was lost. Read the object that it created.',
    code: 'IdempotencyAnswerLost',
  },
  ORGANIZATION_HAS_ORDERS: {
    status: 403,
    message: 'An organization that has sold something cannot be deleted',
  },
} as const satisfies Record<string, ErrorRow>

export type ErrorName = keyof typeof errors

/** The values for `{name}` in a message, such as a provider's id. */
export type ErrorValues = Readonly<Record<string, string>>

/** The message of a row, with its placeholders filled. */
export function errorMessage(name: ErrorName, values: ErrorValues = {}): string {
  return errors[name].message.replace(/\{(\w+)\}/g, (whole, key: string) => values[key] ?? whole)
}

/** The wire code of a row: its own, else derived from its message. */
export function errorCode(name: ErrorName, values: ErrorValues = {}): string {
  const row: ErrorRow = errors[name]
  return (
    row.code ??
    errorMessage(name, values)
      .toUpperCase()
      .replaceAll(' ', '_')
      .replace(/[^A-Z0-9_]/g, '')
  )
}
