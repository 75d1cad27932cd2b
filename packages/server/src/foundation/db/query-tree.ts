import {
  AliasNode,
  BinaryOperationNode,
  FromNode,
  JoinNode,
  ListNode,
  type OperationNode,
  TableNode,
  UsingNode,
  type ValueNode,
} from 'kysely'

const isNode = (value: unknown): value is OperationNode =>
  typeof value === 'object' && value !== null && 'kind' in value

/** A node and all its descendants. */
export function* nodesIn(value: unknown): Generator<OperationNode> {
  if (Array.isArray(value)) for (const each of value) yield* nodesIn(each)
  else if (isNode(value)) {
    yield value
    for (const each of Object.values(value)) if (typeof each === 'object') yield* nodesIn(each)
  }
}

type Relation = TableNode | AliasNode
type Part = OperationNode | readonly Part[] | undefined

/** The tables, and the relations with an alias, that a part of a statement names itself, outside its sub-queries. */
export function relationsIn(part: Part, found: Relation[] = []): readonly Relation[] {
  if (part === undefined) return found
  if (!('kind' in part)) for (const each of part) relationsIn(each, found)
  else if (TableNode.is(part) || AliasNode.is(part)) found.push(part)
  else if (FromNode.is(part)) relationsIn(part.froms, found)
  else if (JoinNode.is(part)) relationsIn(part.table, found)
  else if (UsingNode.is(part)) relationsIn(part.tables, found)
  else if (ListNode.is(part)) relationsIn(part.items, found)
  return found
}

/** Whether a value is the `true` or `false` that a condition compares a column with. */
export const isComparedFlag = ({ value }: ValueNode, parent: OperationNode | undefined): boolean =>
  typeof value === 'boolean' && parent !== undefined && BinaryOperationNode.is(parent)
