/** A time that was selected under a name that is no column's: SQLite gives it as the text that it is stored as. */
export const asTime = (value: Date): Date => new Date(value)
