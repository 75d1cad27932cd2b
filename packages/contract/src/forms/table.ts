import * as account from './account.ts'
import * as entrance from './entrance.ts'
import * as joining from './joining.ts'
import * as organization from './organization.ts'

const rows = { ...entrance, ...account, ...joining, ...organization }

type Row = (typeof rows)[keyof typeof rows]

/** Every row under the name of its form, for the server and for tests. A page imports the rows of its forms. */
export const formRows = Object.fromEntries(Object.values(rows).map((row) => [row.name, row])) as {
  readonly [Name in Row['name']]: Extract<Row, { readonly name: Name }>
} // each name is that of its row
