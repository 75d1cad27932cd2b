/** A list's order in an address: a column, or `-` and a column for descending. */
type Order<Column extends string> = Column | `-${Column}`

/** The order that a column's header applies: its default, or the reverse if the list already has it. */
export function sortAfterPress<Column extends string>(column: Column, current: string): Order<Column> {
  // Times sort newest first by default, names from A.
  const [first, second]: readonly [Order<Column>, Order<Column>] =
    column === 'created' ? [`-${column}`, column] : [column, `-${column}`]
  return current === first ? second : first
}

/** A column's `aria-sort`. */
export function ariaSort(column: string, current: string): 'ascending' | 'descending' | 'none' {
  if (current === column) return 'ascending'
  return current === `-${column}` ? 'descending' : 'none'
}
