import { billingPath } from '@tollgate/contract/billing'
import type { Config } from '../../foundation/config/config.ts'
import type { AnyApi } from '../../foundation/http/api.ts'
import { type Operation, openApi } from '../../foundation/http/openapi.ts'
import type { ReadSchema } from '../../foundation/http/type-text.ts'

/** One call, as its page shows it. */
export type ReferenceCall = {
  /** Its name in the client, in server code, and in the address of its page. */
  readonly id: string
  readonly method: string
  readonly path: string
  readonly isBilling: boolean
  readonly operation: Operation
}

export type ReferenceGroup = { readonly name: string; readonly calls: readonly ReferenceCall[] }

/** What the API reference shows: the description of the served calls, in reading order. */
export type Reference = {
  readonly title: string
  readonly origin: string
  /** Where the calls of accounts are, for scripts of the pages. */
  readonly basePath: string
  /** The text of `/openapi.json`. */
  readonly description: string
  readonly groups: { readonly auth: readonly ReferenceGroup[]; readonly billing: readonly ReferenceGroup[] }
  readonly calls: ReadonlyMap<string, ReferenceCall>
  readonly shapes: ReadonlyMap<string, ReadSchema>
}

/** Reads the description of the APIs that this installation serves. */
export function createReference(config: Config, apis: readonly AnyApi[]): Reference {
  const description = openApi(config, apis)
  const calls = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): ReferenceCall => ({
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        isBilling: path.startsWith(`${billingPath}/`),
        operation,
      }),
    ),
  )
  return {
    title: description.info.title,
    origin: config.baseURL.origin,
    basePath: config.basePath,
    description: JSON.stringify(description),
    groups: {
      auth: groupsOf(calls.filter(({ isBilling }) => !isBilling)),
      billing: groupsOf(calls.filter(({ isBilling }) => isBilling)),
    },
    calls: new Map(calls.map((call) => [call.id, call])),
    shapes: new Map(Object.entries(description.components.schemas)),
  }
}

const groupsOf = (calls: readonly ReferenceCall[]): ReferenceGroup[] =>
  Object.entries(Object.groupBy(calls, ({ operation }) => operation.tags[0] ?? '')).map(([name, members = []]) => ({
    name: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    calls: members,
  }))
