import { activityWords } from './activity.texts.ts'
import type { Kind } from './activity-text.ts'
import { choiceIn } from './list-search.ts'

/** How the page of activity stands in its address. */
export type ActivitySearch = { kind?: Kind | undefined }

/** The kinds that happen in a shop; what happens to accounts is told of customers, to administrators. */
export const shopKinds = (Object.keys(activityWords.kinds) as Kind[]).filter((kind) => kind !== 'accounts')

/** Reads an address; what it cannot mean counts as not said. */
export function activitySearchIn(given: Readonly<Record<string, unknown>>): ActivitySearch {
  const kind = choiceIn(given.kind, shopKinds)
  return { ...(kind && { kind }) }
}
