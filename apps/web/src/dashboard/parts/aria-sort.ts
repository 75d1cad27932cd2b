/** A column's `aria-sort`: an order in an address is a column, or `-` and a column for descending. */
export function ariaSort(column: string, current: string): 'ascending' | 'descending' | 'none' {
  if (current === column) return 'ascending'
  return current === `-${column}` ? 'descending' : 'none'
}
