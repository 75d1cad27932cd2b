/** A list's order in an address: a column, or the other way round with `-` before it. */
type Order<Column extends string> = Column | `-${Column}`

/** The order that a column's header leads to: its own, or the other way round when the list is already sorted by it. */
export function sortAfterPress<Column extends string>(column: Column, current: string): Order<Column> {
  // Newest first is what people mean by sorting by time; names begin at A.
  const [first, second]: readonly [Order<Column>, Order<Column>] =
    column === 'created' ? [`-${column}`, column] : [column, `-${column}`]
  return current === first ? second : first
}

/** What assistive technology is told about a column. */
export function ariaSort(column: string, current: string): 'ascending' | 'descending' | 'none' {
  if (current === column) return 'ascending'
  return current === `-${column}` ? 'descending' : 'none'
}
