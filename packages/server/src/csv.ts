/** Tables as text (RFC 4180), for spreadsheets and bookkeepers. */

/** What a table consists of, in its order: the name of a column, and what stands in it. */
export type CsvColumns<Row> = readonly (readonly [heading: string, cell: (row: Row) => string])[]

/**
 * A table piece by piece, as fast as it is taken: of however many rows no more than a page is held in memory.
 *
 * @param nextPage the rows that follow those given so far; nothing where there are none
 */
export function csvStream<Row>(
  columns: CsvColumns<Row>,
  nextPage: () => Promise<readonly Row[] | undefined>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    // The mark at the start tells spreadsheets that the text is UTF-8.
    start: (file) => file.enqueue(encoder.encode(`\ufeff${line(columns.map(([heading]) => heading))}`)),
    pull: async (file) => {
      const rows = await nextPage()
      if (rows === undefined || rows.length === 0) file.close()
      else file.enqueue(encoder.encode(rows.map((row) => line(columns.map(([, cell]) => cell(row)))).join('')))
    },
  })
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
