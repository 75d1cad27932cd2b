import { keepText } from '../answer-text.ts'
import type { Database } from '../db/database.ts'
import { share } from '../db/share.ts'

/**
 * Answers about organizations as they were told last: pages ask for them again and again, and with a hundred members, or a
 * thousand organizations, that is what costs most. A kept one is believed only while nothing was written that concerns any
 * organization, by this process or another (`database.organizationVersion`). Where that cannot be told (PostgreSQL) nothing
 * is kept, and those who ask for the same at the same time share one read. Who may see it is decided before, each time.
 */
export type KeptAnswers<Answer extends object> = (
  database: Database,
  id: string,
  read: () => Promise<Answer>,
) => Promise<Answer>

type Kept<Answer> = { readonly answer: Answer; readonly version: number; readonly parts: number }
type Shelf<Answer> = {
  readonly byId: Map<string, Kept<Answer>>
  parts: number
  readonly shared: ReturnType<typeof share<Answer>>
}

/** Most parts, such as members, that answers of one kind have together: about 10 MB. */
const partsLimit = 20_000

/** Answers of one kind, each with an id, and made of so many parts. */
export function keptAnswers<Answer extends object>(partsOf: (answer: Answer) => number): KeptAnswers<Answer> {
  const shelves = new WeakMap<Database, Shelf<Answer>>()

  return async (database, id, read) => {
    let shelf = shelves.get(database)
    if (!shelf) {
      shelf = { byId: new Map(), parts: 0, shared: share() }
      shelves.set(database, shelf)
    }
    const version = database.organizationVersion()
    if (version === undefined) return shelf.shared(id, async () => keepText(await read()))
    const kept = shelf.byId.get(id)
    if (kept?.version === version) return kept.answer
    const answer = await read()
    // What was written while it was read may stand in one part of it and not in another.
    if (database.organizationVersion() !== version) return answer
    keep(shelf, id, { answer: keepText(answer), version, parts: partsOf(answer) })
    return answer
  }
}

/** In place of what was kept of it before; where there is no room, the oldest goes. */
function keep<Answer>(shelf: Shelf<Answer>, id: string, kept: Kept<Answer>): void {
  drop(shelf, id)
  shelf.byId.set(id, kept)
  shelf.parts += kept.parts
  for (const oldest of shelf.byId.keys()) {
    if (shelf.parts <= partsLimit) return
    drop(shelf, oldest)
  }
}

function drop<Answer>(shelf: Shelf<Answer>, id: string): void {
  shelf.parts -= shelf.byId.get(id)?.parts ?? 0
  shelf.byId.delete(id)
}
