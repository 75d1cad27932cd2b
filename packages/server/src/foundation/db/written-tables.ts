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
import { snake } from './codec.ts'
import { nodesIn, relationsIn } from './query-tree.ts'
import type { Tables } from './tables.ts'

/** A statement's effect on the rows of a table. */
type Write = 'insert' | 'update' | 'delete'

/** The tables behind cached answers, and the writes to each that may change one. */
type Watched = { readonly [Table in keyof Tables]?: readonly Write[] }

const anything: readonly Write[] = ['insert', 'update', 'delete']

/** Writes that may change a session answer: to the session, its user, or rows read with it (`session-row.ts`). */
export const behindSessions: Watched = {
  session: anything,
  user: anything,
  member: anything,
  organization: anything,
}

/** The writes that may change an organization answer. A new user is in no organization yet. */
export const behindOrganizations: Watched = {
  organization: anything,
  member: anything,
  invitation: anything,
  team: anything,
  teamMember: anything,
  user: ['update', 'delete'],
}

/** The watched rows that the database deletes with a row (`on delete cascade`). */
export const deletedAlong: { readonly [Table in keyof Tables]?: readonly (keyof Tables)[] } = {
  user: ['session', 'member'],
  session: ['session'],
  organization: ['member', 'invitation', 'team'],
  team: ['teamMember'],
  member: ['teamMember'],
}

/**
 * Whether a statement may change a watched table, derived from its query tree, so that no spelling can hide a write.
 * Statements without a tree (raw SQL other than `select`, schema changes) may change anything.
 */
export function touches(query: RootOperationNode, watched: Watched): boolean {
  const writes = writesOf(query)
  if (writes === 'unknown') return true
  return Object.entries(watched).some(([table, kinds]) => kinds.some((kind) => writes.has(`${kind} ${snake(table)}`)))
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
    for (const name of names.flatMap((each) => (kind === 'delete' ? [each, ...goneWith(each)] : [each])))
      writes.add(`${kind} ${name}`)
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

const storedDeletedAlong: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(deletedAlong).map(([parent, children]) => [snake(parent), children.map(snake)]),
)

/** Tables whose rows are deleted with a table's row, transitively. */
function goneWith(table: string, gone = new Set<string>()): ReadonlySet<string> {
  for (const child of storedDeletedAlong.get(table) ?? []) if (!gone.has(child)) goneWith(child, gone.add(child))
  return gone
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
