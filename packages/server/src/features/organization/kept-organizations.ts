import { keepText } from '../../foundation/answer-text.ts'
import type { Database } from '../../foundation/db/database.ts'
import { share } from '../../foundation/db/share.ts'

/**
 * Caches answers about organizations, because pages read them repeatedly and large ones are expensive. A cached answer
 * is valid until any process writes to organizations (`database.organizationVersion`). PostgreSQL has no such version:
 * nothing is cached, but concurrent readers share one read. Callers check access first, each time.
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

/** Maximum number of parts, such as members, in the cached answers of one kind: about 10 MB. */
const partsLimit = 20_000

/** Caches answers of one kind by id; `partsOf` measures their size. */
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
    // A write during the read may be in one part of the answer and missing in another.
    if (database.organizationVersion() !== version) return answer
    keep(shelf, id, { answer: keepText(answer), version, parts: partsOf(answer) })
    return answer
  }
}

/** Replaces the cached answer; evicts the oldest ones while over the limit. */
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
