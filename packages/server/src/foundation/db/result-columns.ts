import {
  AggregateFunctionNode,
  AliasNode,
  BinaryOperationNode,
  CaseNode,
  ColumnNode,
  DeleteQueryNode,
  FunctionNode,
  IdentifierNode,
  InsertQueryNode,
  isComparisonOperator,
  type OperationNode,
  OperatorNode,
  ParensNode,
  RawNode,
  ReferenceNode,
  SelectAllNode,
  type SelectionNode,
  SelectQueryNode,
  TableNode,
  UnaryOperationNode,
  UpdateQueryNode,
  ValueNode,
} from 'kysely'
import type { ColumnKind } from './tables/columns.ts'
import { tables } from './tables.ts'

/**
 * The kinds of a query's result columns by name, derived from the query's own tree. Each comes from a table column
 * through joins, aliases, sub-queries, `with`, unions, `min`, `max`, `coalesce` and `case`. A column without a kind is
 * an expression and keeps the driver's value.
 */
export type ResultColumns = ReadonlyMap<string, ColumnKind | undefined>

/** The sources of a query's names: its tables by alias, its `with` names, and the enclosing query. */
type Scope = {
  readonly relations: Map<string, ResultColumns>
  readonly named: Map<string, ResultColumns>
  readonly outer: Scope | undefined
}

const columnsOfTables: ReadonlyMap<string, ResultColumns> = new Map(
  Object.entries(tables).map(([table, columns]) => [
    table,
    new Map(Object.entries(columns).map(([name, { kind }]) => [name, kind])),
  ]),
)

/** The kinds that need decoding; the driver returns all others ready to use. */
const decodedKinds: ReadonlySet<ColumnKind | undefined> = new Set<ColumnKind>(['time', 'flag', 'json'])

const decodedNames = new Set(
  [...columnsOfTables.values()].flatMap((columns) =>
    [...columns].flatMap(([name, kind]) => (decodedKinds.has(kind) ? [name] : [])),
  ),
)

/**
 * Refuses an expression named like a decoded column: a reader expects that column's type, but the value stays
 * undecoded. Select the column itself, or choose another name.
 */
export function refuseMisleading(name: string): void {
  if (decodedNames.has(name))
    throw new Error(`The result column "${name}" is an expression, so it is not decoded like the column of that name`)
}

/** Throws if a result column may come from columns of different kinds, or has a misleading name. */
export function resultColumnsOf(node: OperationNode): ResultColumns | undefined {
  if (RawNode.is(node)) return undefined
  return columnsOf(node, undefined)
}

const none: ResultColumns = new Map()

function columnsOf(node: OperationNode, outer: Scope | undefined): ResultColumns {
  if (SelectQueryNode.is(node)) return columnsOfSelect(node, outer)
  if (ParensNode.is(node)) return columnsOf(node.node, outer)
  if (!InsertQueryNode.is(node) && !UpdateQueryNode.is(node) && !DeleteQueryNode.is(node)) return none
  if (!node.returning) return none
  const scope = scopeOf(node, outer)
  for (const relation of changedBy(node)) addRelation(scope, relation)
  return selected(node.returning.selections, scope)
}

/** The tables that a statement changes, and those it joins. */
function changedBy(node: InsertQueryNode | UpdateQueryNode | DeleteQueryNode): readonly OperationNode[] {
  if (InsertQueryNode.is(node)) return node.into ? [node.into] : []
  const joined = (node.joins ?? []).map(({ table }) => table)
  if (DeleteQueryNode.is(node)) return [...node.from.froms, ...(node.using?.tables ?? []), ...joined]
  return [...(node.table ? [node.table] : []), ...(node.from?.froms ?? []), ...joined]
}

function columnsOfSelect(node: SelectQueryNode, outer: Scope | undefined): ResultColumns {
  const scope = scopeOf(node, outer)
  for (const relation of node.from?.froms ?? []) addRelation(scope, relation)
  for (const { table } of node.joins ?? []) addRelation(scope, table)
  const columns = selected(node.selections ?? [], scope)
  if (!node.setOperations) return columns
  // The parts of a union return their columns in the same order, under the first part's names.
  const parts = node.setOperations.map(({ expression }) => [...columnsOf(expression, scope).values()])
  return new Map([...columns].map(([name, kind], at) => [name, agreed(name, [kind, ...parts.map((part) => part[at])])]))
}

type WithParts = Pick<SelectQueryNode, 'with'>

function scopeOf({ with: parts }: WithParts, outer: Scope | undefined): Scope {
  const scope: Scope = { relations: new Map(), named: new Map(), outer }
  for (const { name, expression } of parts?.expressions ?? []) {
    const columns = columnsOf(expression, scope)
    const names = name.columns?.map(({ column }) => column.name)
    scope.named.set(
      name.table.table.identifier.name,
      names ? new Map([...columns.values()].map((kind, at) => [names[at] ?? '', kind])) : columns,
    )
  }
  return scope
}

function addRelation(scope: Scope, node: OperationNode): void {
  if (AliasNode.is(node)) {
    if (IdentifierNode.is(node.alias)) scope.relations.set(node.alias.name, relationOf(node.node, scope))
  } else if (TableNode.is(node)) {
    scope.relations.set(node.table.identifier.name, relationOf(node, scope))
  }
}

function relationOf(node: OperationNode, scope: Scope): ResultColumns {
  if (!TableNode.is(node)) return columnsOf(node, scope)
  const { name } = node.table.identifier
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    const named = at.named.get(name)
    if (named) return named
  }
  return columnsOfTables.get(name) ?? none
}

function selected(selections: readonly SelectionNode[], scope: Scope): ResultColumns {
  const [only] = selections
  if (only && selections.length === 1) {
    const whole = wholeRelation(only.selection, scope)
    if (whole) return whole
  }
  const columns = new Map<string, ColumnKind | undefined>()
  const add = (name: string, kind: ColumnKind | undefined) =>
    columns.set(name, columns.has(name) ? agreed(name, [columns.get(name), kind]) : kind)
  for (const { selection } of selections) {
    const whole = wholeRelation(selection, scope)
    if (whole) for (const [name, kind] of whole) add(name, kind)
    else {
      const name = resultName(selection)
      const kind = kindOf(selection, scope)
      if (name !== undefined && kind === undefined) refuseMisleading(name)
      if (name !== undefined) add(name, kind)
    }
  }
  return columns
}

/** All columns of a `selectAll`; undefined for any other selection. */
function wholeRelation(selection: OperationNode, scope: Scope): ResultColumns | undefined {
  if (ReferenceNode.is(selection) && SelectAllNode.is(selection.column) && selection.table)
    return scope.relations.get(selection.table.table.identifier.name) ?? none
  if (!SelectAllNode.is(selection) && !(ReferenceNode.is(selection) && SelectAllNode.is(selection.column)))
    return undefined
  const [first, ...others] = scope.relations.values()
  if (!first || others.length === 0) return first ?? none
  const columns = new Map(first)
  for (const other of others)
    for (const [name, kind] of other)
      columns.set(name, columns.has(name) ? agreed(name, [columns.get(name), kind]) : kind)
  return columns
}

/** The name that the database gives a selected expression; undefined if the database chooses one. */
function resultName(selection: OperationNode): string | undefined {
  if (AliasNode.is(selection)) return IdentifierNode.is(selection.alias) ? selection.alias.name : undefined
  if (ReferenceNode.is(selection)) return resultName(selection.column)
  return ColumnNode.is(selection) ? selection.column.name : undefined
}

function kindOf(node: OperationNode, scope: Scope): ColumnKind | undefined {
  if (AliasNode.is(node) || ParensNode.is(node)) return kindOf(node.node, scope)
  if (ReferenceNode.is(node))
    return ColumnNode.is(node.column) ? kindOfColumn(node.column, node.table, scope) : undefined
  if (ColumnNode.is(node)) return kindOfColumn(node, undefined, scope)
  if (SelectQueryNode.is(node)) return onlyKind(columnsOf(node, scope))
  if (AggregateFunctionNode.is(node))
    return node.func === 'min' || node.func === 'max' ? kindOfFirst(node.aggregated, scope) : undefined
  if (FunctionNode.is(node)) return node.func === 'coalesce' ? kindOfAny(node.arguments, scope) : undefined
  if (CaseNode.is(node)) {
    const results = (node.when ?? []).flatMap(({ result }) => (result ? [result] : []))
    return kindOfAny(node.else ? [...results, node.else] : results, scope)
  }
  if (UnaryOperationNode.is(node)) return isSaying(node.operator) ? 'flag' : undefined
  if (BinaryOperationNode.is(node))
    return OperatorNode.is(node.operator) && isComparisonOperator(node.operator.operator) ? 'flag' : undefined
  // `sql.ref(name)`, and a raw expression that only wraps another one.
  if (RawNode.is(node) && node.sqlFragments.every((fragment) => fragment === ''))
    return kindOfFirst(node.parameters, scope)
  return undefined
}

const isSaying = (operator: OperationNode): boolean =>
  OperatorNode.is(operator) && ['exists', 'not exists', 'not'].includes(operator.operator)

const onlyKind = (columns: ResultColumns): ColumnKind | undefined => {
  const [kind] = columns.values()
  return kind
}

const kindOfFirst = ([first]: readonly OperationNode[], scope: Scope): ColumnKind | undefined =>
  first && kindOf(first, scope)

/** The kind of alternative expressions; a literal takes the kind of the others. */
const kindOfAny = (nodes: readonly OperationNode[], scope: Scope): ColumnKind | undefined =>
  agreed(
    'coalesce or case',
    nodes.filter((node) => !ValueNode.is(node)).map((node) => kindOf(node, scope)),
  )

function kindOfColumn({ column: { name } }: ColumnNode, table: TableNode | undefined, scope: Scope) {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    if (table) {
      const relation = at.relations.get(table.table.identifier.name)
      if (relation) return relation.get(name)
    } else {
      const kinds = [...at.relations.values()].flatMap((columns) => (columns.has(name) ? [columns.get(name)] : []))
      if (kinds.length > 0) return agreed(name, kinds)
    }
  }
  return undefined
}

/** The common kind. Kinds that the driver returns alike agree; others would decode some values wrongly. */
function agreed(name: string, kinds: readonly (ColumnKind | undefined)[]): ColumnKind | undefined {
  const [first, ...others] = kinds
  for (const other of others)
    if (other !== first && (decodedKinds.has(other) || decodedKinds.has(first)))
      throw new Error(`The result column "${name}" may be ${first ?? 'an expression'} or ${other ?? 'an expression'}`)
  return first
}
