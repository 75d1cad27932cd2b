import type { z } from 'zod'
import type { ErrorName } from './errors.ts'

/** A call's input and output. It lists every refusal it may answer; any other is a fault and becomes a 500. */
export type Endpoint = {
  /** One sentence for the API description. */
  readonly summary: string
  readonly body?: z.ZodType
  readonly query?: z.ZodType
  readonly params?: z.ZodType
  readonly output?: z.ZodType
  readonly errors: readonly ErrorName[]
}
