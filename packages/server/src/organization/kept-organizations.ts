import type { Answer } from '@tollgate/contract/types'
import { keepText } from '../answer-text.ts'
import type { Database } from '../db/database.ts'

/**
 * Whole organizations as they were told last: pages ask for them again and again, and with a hundred members that is what
 * costs most. A kept one is believed only while nothing was written that concerns any of them, by this process or another
 * (`database.organizationVersion`); where that cannot be told (PostgreSQL), nothing is kept. Who may see it is decided
 * before, each time.
 */
export type Full = NonNullable<Answer<'getFullOrganization'>>

type Kept = { readonly answer: Full; readonly version: number; readonly parts: number }
type Shelf = { readonly byId: Map<string, Kept>; parts: number }

/** Most members, invitations and teams that are kept together: about 10 MB. */
const partsLimit = 20_000

const shelves = new WeakMap<Database, Shelf>()

export async function keptOrRead(database: Database, id: string, read: () => Promise<Full>): Promise<Full> {
  const version = database.organizationVersion()
  if (version === undefined) return read()
  let shelf = shelves.get(database)
  if (!shelf) {
    shelf = { byId: new Map(), parts: 0 }
    shelves.set(database, shelf)
  }
  const kept = shelf.byId.get(id)
  if (kept?.version === version) return kept.answer
  const answer = await read()
  // What was written while it was read may stand in one part of it and not in another.
  if (database.organizationVersion() !== version) return answer
  keep(shelf, id, { answer: keepText(answer), version, parts: partsOf(answer) })
  return answer
}

const partsOf = ({ members, invitations, teams }: Full): number =>
  1 + members.length + invitations.length + (teams?.length ?? 0)

/** In place of what was kept of it before; where there is no room, the oldest goes. */
function keep(shelf: Shelf, id: string, kept: Kept): void {
  drop(shelf, id)
  shelf.byId.set(id, kept)
  shelf.parts += kept.parts
  for (const oldest of shelf.byId.keys()) {
    if (shelf.parts <= partsLimit) return
    drop(shelf, oldest)
  }
}

function drop(shelf: Shelf, id: string): void {
  shelf.parts -= shelf.byId.get(id)?.parts ?? 0
  shelf.byId.delete(id)
}
