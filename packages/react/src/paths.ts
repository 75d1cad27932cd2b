/** The addresses of the pages; the rows of the forms go on to them. */
export { defaultPaths, type Paths, withQuery } from '@tollgate/contract/forms'
