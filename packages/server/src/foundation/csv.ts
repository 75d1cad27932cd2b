/** Tables as text (RFC 4180), for spreadsheets and bookkeepers. */

/** The columns in order: each with its name and its value for a row. */
export type CsvColumns<Row> = readonly (readonly [heading: string, cell: (row: Row) => string])[]

/**
 * A table piece by piece, as fast as the reader takes it: memory holds one page, however many rows there are.
 *
 * @param nextPage the rows after those so far; empty at the end
 * @param lastWord a last line below them, if needed
 */
export function csvStream<Row>(
  columns: CsvColumns<Row>,
  nextPage: () => Promise<readonly Row[] | undefined>,
  lastWord: () => Promise<string | undefined> = async () => undefined,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    // The mark at the start tells spreadsheets that the text is UTF-8.
    start: (file) => file.enqueue(encoder.encode(`\ufeff${line(columns.map(([heading]) => heading))}`)),
    pull: async (file) => {
      const rows = await nextPage()
      if (rows !== undefined && rows.length > 0)
        return file.enqueue(encoder.encode(rows.map((row) => line(columns.map(([, cell]) => cell(row)))).join('')))
      const said = await lastWord()
      // A normal line of the table; the text is in the first column, where readers see it.
      if (said !== undefined) file.enqueue(encoder.encode(line(columns.map((_, index) => (index === 0 ? said : '')))))
      file.close()
    },
  })
}

/** The most events of one file; older ones need another file. */
const mostEvents = 50_000
/** The events per read: the memory limit, however long the file is. */
const batch = 500

/** The next read: this many rows after a cursor, or the newest. */
export type LogPage = { readonly cursor: string | undefined; readonly limit: number }

/**
 * A log as a table, the newest first. If one file does not hold all of it, the last line says so and how to get the
 * rest, so that no reader takes the part for the whole.
 *
 * @param cursor the beginning of the file; default: the newest event
 * @param read rows, and the cursor after them, if there may be more
 * @param how the addition to the file's address that continues after its last row
 */
export function csvOfLog<Row>(
  columns: CsvColumns<Row>,
  {
    cursor: first,
    read,
    how,
  }: {
    readonly cursor?: string | undefined
    readonly read: (page: LogPage) => Promise<{ rows: readonly Row[]; nextCursor: string | null }>
    readonly how: (last: Row) => string
  },
): ReadableStream<Uint8Array> {
  let cursor = first
  let left = mostEvents
  let last: Row | undefined
  let isWhole = false
  const nextPage = async () => {
    if (left === 0 || isWhole) return undefined
    const { rows, nextCursor } = await read({ cursor, limit: Math.min(batch, left) })
    left -= rows.length
    last = rows.at(-1)
    isWhole = nextCursor === null || last === undefined
    cursor = nextCursor ?? undefined
    return rows
  }
  const lastWord = async () => {
    if (isWhole || last === undefined) return undefined
    const { rows } = await read({ cursor, limit: 1 })
    return rows.length > 0 ? `There is more: this file ends after ${mostEvents} events. ${how(last)}` : undefined
  }
  return csvStream(columns, nextPage, lastWord)
}

const line = (cells: readonly string[]): string => `${cells.map(safeCell).join(',')}\r\n`

/**
 * A cell that spreadsheets read as text only: users choose names, and a name that begins like a formula would run as
 * one (OWASP, "CSV injection"). Where spreadsheets separate by semicolons or tabs, these begin a cell too. East Asian
 * ones also accept the wide and small forms of the signs. A negative number is no formula.
 */
const safeCell = (text: string): string =>
  isNumber.test(text) ? text : `"${text.replace(formulaStart, "$&'").replaceAll('"', '""')}"`

const isNumber = /^-?\d+(\.\d+)?$/

/** The positions for an apostrophe: before a sign that begins a formula, and before characters that may hide one. */
const formulaStart =
  /(?:^|[;\t\r\n])(?:[^\S\t\r\n]|")*(?=[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b])|^(?=[\t\r])/g
