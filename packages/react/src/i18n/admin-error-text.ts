import type { Messages } from './messages.ts'

/** What an administrator reads for each refusal of the admin calls. A table of its own: no other page carries it. */
export const adminErrorTexts: Readonly<Record<string, keyof Messages['adminErrors']>> = {
  YOU_ARE_NOT_ALLOWED_TO_LIST_USERS: 'notAllowed',
  YOU_ARE_NOT_ALLOWED_TO_GET_USER: 'notAllowed',
  YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS: 'notAllowed',
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS: 'notAllowed',
  YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE: 'notAllowed',
  YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD: 'notAllowed',
  YOU_ARE_NOT_ALLOWED_TO_BAN_USERS: 'notAllowed',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS: 'notAllowed',
  YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS: 'notAllowed',
  YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS: 'notAllowed',
  YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS: 'notAllowed',
  YOU_ARE_NOT_ALLOWED_TO_LIST_EVENTS: 'notAllowed',
  YOU_ARE_NOT_ALLOWED_TO_LIST_ORGANIZATIONS: 'notAllowed',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_ORGANIZATIONS: 'notAllowed',
  YOU_ARE_NOT_ALLOWED_TO_VERIFY_DOMAINS: 'notAllowed',
  YOU_ARE_NOT_ALLOWED_TO_DECIDE_WHO_MAY_SELL: 'notAllowed',
  YOU_CANNOT_IMPERSONATE_ADMINS: 'impersonateAdmin',
  YOU_CANNOT_BAN_YOURSELF: 'banYourself',
  YOU_CANNOT_REMOVE_YOURSELF: 'removeYourself',
  THE_LAST_ADMINISTRATOR_CANNOT_BE_REMOVED: 'lastAdmin',
  YOU_ARE_NOT_ALLOWED_TO_SET_A_NONEXISTENT_ROLE_VALUE: 'roleUnknown',
  YOU_ARE_NOT_IMPERSONATING_ANYONE: 'notImpersonating',
}
