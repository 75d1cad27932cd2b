/** Types of inputs and answers, derived from the schemas; importing them adds nothing to a bundle. */
import type { z } from 'zod'
import type { AuthCallName } from './calls.ts'
import type { authSchemas, session, sessionAnswer, sessionUser, user } from './schemas.ts'

type Schemas = typeof authSchemas
type Input<Name extends AuthCallName, Part extends string> = Schemas[Name] extends {
  readonly [P in Part]: infer S extends z.ZodType
}
  ? z.input<S>
  : never
type Parsed<Name extends AuthCallName, Part extends string> = Schemas[Name] extends {
  readonly [P in Part]: infer S extends z.ZodType
}
  ? z.output<S>
  : undefined

/** The caller's input. */
export type Body<Name extends AuthCallName> = Input<Name, 'body'>
export type Query<Name extends AuthCallName> = Input<Name, 'query'>
/** The service's input: parsed, unknown members dropped. */
export type ParsedBody<Name extends AuthCallName> = Parsed<Name, 'body'>
export type ParsedQuery<Name extends AuthCallName> = Parsed<Name, 'query'>
export type ParsedParams<Name extends AuthCallName> = Parsed<Name, 'params'>
/** The call's answer. */
export type Answer<Name extends AuthCallName> = Schemas[Name] extends { readonly output: infer S extends z.ZodType }
  ? z.output<S>
  : null

export type User = z.output<typeof user>
export type SessionUser = z.output<typeof sessionUser>
export type Session = z.output<typeof session>
export type SessionAnswer = z.output<typeof sessionAnswer>
