import type { EventKind } from '@tollgate/contract/events'
import { choiceIn } from '../lists/list-search.ts'
import { activityWords } from './activity.texts.ts'

/** How the page of activity stands in its address. */
export type ActivitySearch = { kind?: EventKind | undefined }

/** The kinds of a shop's events; administrators see account events on the customer's page. */
export const shopKinds = (Object.keys(activityWords.kinds) as EventKind[]).filter((kind) => kind !== 'accounts')

/** Reads an address; what it cannot mean counts as not said. */
export function activitySearchIn(given: Readonly<Record<string, unknown>>): ActivitySearch {
  const kind = choiceIn(given.kind, shopKinds)
  return { ...(kind && { kind }) }
}
