/** The package `tollgate`: accounts, organizations and billing as a Fetch handler and as functions. */
export {
  type AccessControl,
  type AccessRequest,
  type AccessRole,
  type Authorization,
  createAccessControl,
  organizationRoles,
  organizationStatements,
  type Statements,
} from '@tollgate/contract/calls'
export { toNodeHandler } from './app/node.ts'
export { type Api, createTollgate, type Tollgate, type TollgateOptions } from './app/server.ts'
export {
  ConfigError,
  defineConfig,
  type HookUser,
  type OutgoingMail,
  type TollgateConfig,
} from './foundation/config/config.ts'
export { TollgateError } from './foundation/error.ts'
