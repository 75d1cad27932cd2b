import {
  CommonTableExpressionNode,
  DeleteQueryNode,
  InsertQueryNode,
  type KyselyPlugin,
  MergeQueryNode,
  type OperationNode,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  RawNode,
  type RootOperationNode,
  SelectQueryNode,
  TableNode,
  type UnknownRow,
  UpdateQueryNode,
} from 'kysely'
import { namesOf } from '../proof/proven.ts'
import { snake } from './codec.ts'
import { nodesIn, relationsIn } from './query-tree.ts'
import type { Tables } from './tables.ts'

/** A statement's effect on the rows of a table. */
type Write = 'insert' | 'update' | 'delete'

/** Tables behind cached answers, and the writes to each that may change one. */
type Watched = { readonly [Table in keyof Tables]?: readonly Write[] }

const anything: readonly Write[] = ['insert', 'update', 'delete']

/** Each kind of answer that may come from memory, and the writes that may change one. A new kind is one row. */
export const behind = {
  /** The session, its user, and the rows read with it (`session-row.ts`). */
  sessions: { session: anything, user: anything, member: anything, organization: anything },
  /** A new user is in no organization yet. */
  organizations: {
    organization: anything,
    member: anything,
    invitation: anything,
    team: anything,
    teamMember: anything,
    user: ['update', 'delete'],
  },
  /** An access token and the approval of its organization. */
  accessTokens: { organizationAccessToken: anything, merchant: anything },
  /** Products with their prices, pictures and custom fields. */
  products: {
    product: anything,
    productPrice: anything,
    meter: anything,
    productMedia: anything,
    file: anything,
    productCustomField: anything,
    customField: anything,
  },
  /** An order holds its own copy of its customer, product and discount. */
  orders: { order: anything, orderItem: anything, subscription: anything },
} as const satisfies Record<string, Watched>

/** A kind of answer that may come from memory. */
export type AnswerKind = keyof typeof behind

/** What happens to the rows of watched tables when the row that they refer to is deleted (`on delete`). */
export const deletedAlong: { readonly [Parent in keyof Tables]?: { readonly [Child in keyof Tables]?: Write } } = {
  user: { session: 'delete', member: 'delete', organizationAccessToken: 'update' },
  session: { session: 'delete' },
  organization: { member: 'delete', invitation: 'delete', team: 'delete', merchant: 'delete' },
  team: { teamMember: 'delete' },
  member: { teamMember: 'delete' },
  merchant: {
    organizationAccessToken: 'delete',
    product: 'delete',
    productPrice: 'delete',
    meter: 'delete',
    file: 'delete',
    customField: 'delete',
    order: 'delete',
    subscription: 'delete',
  },
  product: { productPrice: 'delete', productMedia: 'delete', productCustomField: 'delete' },
  file: { productMedia: 'delete' },
  customField: { productCustomField: 'delete' },
  order: { orderItem: 'delete' },
}

/**
 * The kinds of answers that a statement may change, derived from its query tree, so that no spelling can hide a write.
 * Statements without a tree (raw SQL other than `select`, schema changes) may change anything.
 */
export function changedBy(query: RootOperationNode): AnswerKind[] {
  const writes = writesOf(query)
  if (writes === 'unknown') return namesOf(behind)
  if (writes.size === 0) return []
  const touches = (watched: Watched): boolean =>
    Object.entries(watched).some(([table, kinds]) => kinds.some((kind) => writes.has(`${kind} ${snake(table)}`)))
  return namesOf(behind).filter((kind) => touches(behind[kind]))
}

type Writes = ReadonlySet<`${Write} ${string}`>

/** A statement's writes by stored table name, foreign key cascades included. */
function writesOf(query: RootOperationNode): Writes | 'unknown' {
  if (RawNode.is(query)) return isSelect(query) ? new Set() : 'unknown'
  const writes = new Set<`${Write} ${string}`>()
  let isUnknown = !isQuery(query)
  const add = (kind: Write, target: OperationNode | undefined): void => {
    const names = tableNames(target)
    if (names.length === 0) isUnknown = true
    for (const name of names) addWrite(writes, kind, name)
  }
  for (const node of nodesIn(query)) {
    if (InsertQueryNode.is(node)) {
      add('insert', node.into)
      if (node.onConflict || node.onDuplicateKey) add('update', node.into)
      if (node.replace || node.orAction?.action === 'replace') add('delete', node.into)
    } else if (UpdateQueryNode.is(node)) add('update', node.table)
    else if (DeleteQueryNode.is(node)) add('delete', node.from)
    else if (MergeQueryNode.is(node)) for (const kind of anything) add(kind, node.into)
    else if (CommonTableExpressionNode.is(node) && RawNode.is(node.expression) && !isSelect(node.expression))
      isUnknown = true
  }
  return isUnknown ? 'unknown' : writes
}

/** Whether a node reads or writes rows; any other node changes the schema. */
const isQuery = (node: OperationNode): boolean =>
  [SelectQueryNode, InsertQueryNode, UpdateQueryNode, DeleteQueryNode, MergeQueryNode].some((kind) => kind.is(node))

/** A `select` writes nothing in either database; other raw SQL may. */
const isSelect = ({ sqlFragments: [first = ''] }: RawNode): boolean => /^\s*select\b/i.test(first)

/** The stored names of the tables that a statement writes to; empty for other targets. */
const tableNames = (target: OperationNode | undefined): string[] =>
  relationsIn(target).flatMap((relation) =>
    TableNode.is(relation) ? [snake(relation.table.identifier.name)] : tableNames(relation.node),
  )

const storedDeletedAlong: ReadonlyMap<string, readonly (readonly [child: string, write: Write])[]> = new Map(
  Object.entries(deletedAlong).map(([parent, children]) => [
    snake(parent),
    Object.entries(children).map(([child, write]) => [snake(child), write] as const),
  ]),
)

/** Adds a write, and those that the database makes along with it, transitively. */
function addWrite(writes: Set<`${Write} ${string}`>, kind: Write, table: string): void {
  const write = `${kind} ${table}` as const
  if (writes.has(write)) return
  writes.add(write)
  if (kind === 'delete')
    for (const [child, along] of storedDeletedAlong.get(table) ?? []) addWrite(writes, along, child)
}

/**
 * Refuses raw SQL other than `select`, outside migrations and the transfer between databases (`withoutPlugins`):
 * without a tree its writes are unknown. Parts of a statement may be raw SQL.
 */
export class NoRawWrites implements KyselyPlugin {
  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    if (RawNode.is(node) && !isSelect(node))
      throw new Error(
        `Raw SQL only reads and starts with select. Use the query builder for this write: ${node.sqlFragments.join('?')}`,
      )
    return node
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result
  }
}
