import { z } from 'zod'

/** Fields and refusals of several calls. */

/**
 * PostgreSQL stores neither NUL nor, in JSON, half of a surrogate pair. A text with one is refused here, so that both
 * databases answer alike.
 */
export const storable = (limit: number) =>
  z
    .string()
    .max(limit)
    .refine((value) => value.isWellFormed() && !value.includes('\0'))
const resourceLimit = 100
/** Permissions by resource. Limited to a sensible number, because the server checks each. */
export const byResource = <Actions extends z.ZodType>(actions: Actions) =>
  z
    .record(storable(64), actions)
    .refine((resources) => Object.keys(resources).length <= resourceLimit)
    .meta({ maxProperties: resourceLimit })
/** The longest text of any field; fields with a tighter rule say so. */
export const text = storable(2048)
export const url = storable(2048)
/** Normalised and then checked by the service (security, §0); the wire only limits its length. */
export const address = storable(512)
/** Limited far above any configured maximum, so that the configured one gives its own refusal. */
export const password = z.string().max(4096)
/** Hashing maps every half of a surrogate pair to the same bytes: many passwords would be equal. */
export const newPassword = password.refine((value) => value.isWellFormed())
export const token = storable(2048)
export const timestamp = z.iso.datetime()
/** Text in a query, a boolean from server code. */
export const flag = z.union([z.boolean(), z.stringbool()]).optional()

export const status = z.object({ status: z.boolean() })

/** Refusals of every call that takes a body. */
export const requestErrors = [
  'VALIDATION_ERROR',
  'MALFORMED_JSON',
  'JSON_TOO_DEEP',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'INVALID_ORIGIN',
  'TOO_MANY_REQUESTS',
] as const
/** Refusals of a new password. */
export const passwordErrors = ['PASSWORD_TOO_SHORT', 'PASSWORD_TOO_LONG', 'PASSWORD_BREACHED', 'SERVICE_BUSY'] as const

/** Refusals of calls that a captcha guards, where one is configured. */
export const captchaErrors = ['CAPTCHA_MISSING', 'CAPTCHA_FAILED', 'CAPTCHA_UNAVAILABLE'] as const
/** Refusals of a username (specification, section 5); the last one for a failing configured validator. */
export const usernameErrors = [
  'USERNAME_TOO_SHORT',
  'USERNAME_TOO_LONG',
  'USERNAME_INVALID',
  'USERNAME_TAKEN',
  'USERNAME_UNEXPECTED_ERROR',
] as const
/** The next address, for calls that lead through another site. */
export const callbackErrors = [
  'INVALID_CALLBACK_URL',
  'INVALID_ERROR_CALLBACK_URL',
  'INVALID_NEW_USER_CALLBACK_URL',
] as const

/** Refusals of calls that take a picture. */
export const pictureErrors = [
  'INVALID_ORIGIN',
  'MALFORMED_REQUEST',
  'BODY_TOO_LARGE',
  'PICTURE_UNREADABLE',
  'PICTURE_TOO_LARGE',
  'SERVICE_UNAVAILABLE',
] as const
