/** How forms stand: the server renders the same states, so the contract describes them. */
export type { PageDone as Done, PageForm as FormName, PageState as FormState } from '@tollgate/contract/pages'
