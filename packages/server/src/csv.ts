/** Tables as text (RFC 4180), for spreadsheets and bookkeepers. */

/** What a table consists of, in its order: the name of a column, and what stands in it. */
export type CsvColumns<Row> = readonly (readonly [heading: string, cell: (row: Row) => string])[]

/**
 * A table piece by piece, as fast as it is taken: of however many rows no more than a page is held in memory.
 *
 * @param nextPage the rows that follow those given so far; nothing where there are none
 * @param lastWord what is to be said below them, if anything
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
      // A line like the others, so that it is read as one of the table; in the first column, where it is seen.
      if (said !== undefined) file.enqueue(encoder.encode(line(columns.map((_, index) => (index === 0 ? said : '')))))
      file.close()
    },
  })
}

/** Most events of one file; whoever needs older ones asks for another file. */
const mostEvents = 50_000
/** How many are read at once: what is held in memory, however long the file becomes. */
const batch = 500

/** What is read next: so many rows behind a cursor, or the newest. */
export type LogPage = { readonly cursor: string | undefined; readonly limit: number }

/**
 * A log as a table, the newest first. Where there is more than one file holds its last line says so, and how the rest is
 * asked for: nobody takes the part for the whole.
 *
 * @param cursor where the file begins; with the newest, unless it is said
 * @param read rows, and the cursor of what follows them, if anything may
 * @param how what to add to the file's address to get what is older than its last row
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
 * A cell that a spreadsheet takes for nothing but text: names are anybody's to choose, and one that begins like a formula
 * would be run as one (OWASP, "CSV injection"). Where spreadsheets separate by semicolons or tabs, what follows one of
 * these begins a cell, too; East Asian ones also take the wide and the small forms of the signs. A negative number is none.
 */
const safeCell = (text: string): string =>
  isNumber.test(text) ? text : `"${text.replace(formulaStart, "$&'").replaceAll('"', '""')}"`

const isNumber = /^-?\d+(\.\d+)?$/

/** Where an apostrophe has to stand: before a sign that begins a formula, and before what may hide one. */
const formulaStart =
  /(?:^|[;\t\r\n])(?:[^\S\t\r\n]|")*(?=[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b])|^(?=[\t\r])/g
