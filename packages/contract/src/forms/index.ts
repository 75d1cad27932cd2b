/**
 * Entry `forms`: each form of the hosted pages as one row, for the server that takes it without a script and for the
 * component that sends it with one. Every row is an export of its own, so that a page loads only those of its forms.
 */
export * from './account.ts'
export { isAddress, usernameRefusal } from './checks.ts'
export * from './entrance.ts'
export type { After, At, Check, Form, FormInput, Values } from './form.ts'
export * from './joining.ts'
export * from './organization.ts'
export { defaultPaths, type Paths, withQuery } from './paths.ts'
export { formRows } from './table.ts'
export { addressesIn, metadataIn, permissionsIn, tickedAfter } from './values.ts'
