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
import { relationsIn } from './query-tree.ts'
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
  if (ParensNode.is(node)) return columnsOf(node.node, outer)
  if (SelectQueryNode.is(node)) return columnsOfSelect(node, outer)
  if (!InsertQueryNode.is(node) && !UpdateQueryNode.is(node) && !DeleteQueryNode.is(node)) return none
  return node.returning ? selected(node.returning.selections, scopeOf(node, outer)) : none
}

function columnsOfSelect(node: SelectQueryNode, outer: Scope | undefined): ResultColumns {
  const scope = scopeOf(node, outer)
  const columns = selected(node.selections ?? [], scope)
  if (!node.setOperations) return columns
  // The parts of a union return their columns in the same order, under the first part's names.
  const parts = node.setOperations.map(({ expression }) => [...columnsOf(expression, scope).values()])
  return new Map([...columns].map(([name, kind], at) => [name, agreed(name, [kind, ...parts.map((part) => part[at])])]))
}

/** The parts of a statement that name its relations; each kind of statement has some of them. */
type Sources = Pick<InsertQueryNode, 'with' | 'into'> &
  Pick<UpdateQueryNode, 'table' | 'from' | 'joins'> &
  Pick<DeleteQueryNode, 'using'>

function scopeOf({ with: parts, into, table, from, using, joins }: Sources, outer: Scope | undefined): Scope {
  const scope: Scope = { relations: new Map(), named: new Map(), outer }
  for (const { name, expression } of parts?.expressions ?? []) {
    const columns = columnsOf(expression, scope)
    const names = name.columns?.map(({ column }) => column.name)
    scope.named.set(
      name.table.table.identifier.name,
      names ? new Map([...columns.values()].map((kind, at) => [names[at] ?? '', kind])) : columns,
    )
  }
  for (const relation of relationsIn([into, table, from, using, joins])) {
    const name = TableNode.is(relation) ? relation.table.identifier : relation.alias
    if (IdentifierNode.is(name)) scope.relations.set(name.name, columnsOfRelation(relation, scope))
  }
  return scope
}

function columnsOfRelation(node: OperationNode, scope: Scope): ResultColumns {
  if (AliasNode.is(node)) return columnsOfRelation(node.node, scope)
  if (!TableNode.is(node)) return columnsOf(node, scope)
  const { name } = node.table.identifier
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    const named = at.named.get(name)
    if (named) return named
  }
  return columnsOfTables.get(name) ?? none
}

function selected(selections: readonly SelectionNode[], scope: Scope): ResultColumns {
  const columns = new Map<string, ColumnKind | undefined>()
  const add = (name: string, kind: ColumnKind | undefined) =>
    columns.set(name, columns.has(name) ? agreed(name, [columns.get(name), kind]) : kind)
  for (const { selection } of selections) {
    const whole = wholeRelations(selection, scope)
    if (whole?.[0] && whole.length === 1 && selections.length === 1) return whole[0] // frequent, and needs no copy
    for (const relation of whole ?? []) for (const [name, kind] of relation) add(name, kind)
    const name = whole ? undefined : resultName(selection)
    if (name === undefined) continue
    const kind = kindOf(selection, scope)
    if (kind === undefined) refuseMisleading(name)
    add(name, kind)
  }
  return columns
}

/** The relations of a `selectAll`; undefined for any other selection. */
function wholeRelations(selection: OperationNode, { relations }: Scope): readonly ResultColumns[] | undefined {
  if (SelectAllNode.is(selection)) return [...relations.values()]
  if (!ReferenceNode.is(selection) || !SelectAllNode.is(selection.column)) return undefined
  return selection.table ? [relations.get(selection.table.table.identifier.name) ?? none] : [...relations.values()]
}

/** The name that a query gives a selected expression; undefined if the database chooses one. */
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
