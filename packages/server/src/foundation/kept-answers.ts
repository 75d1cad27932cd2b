import { keepText } from './answer-text.ts'
import type { Database } from './db/database.ts'
import { share } from './db/share.ts'
import type { AnswerKind } from './db/written-tables.ts'

/**
 * Caches answers that are read repeatedly between two writes. A cached answer is valid until any process writes to the
 * tables behind its kind (`database.version`). PostgreSQL has no such version: nothing is cached, but concurrent
 * readers share one read. Callers check access first, each time. Server code may mutate its answer, so it gets one of
 * its own.
 */
export type KeptAnswers<Answer extends object> = (
  asking: { readonly ctx: { readonly database: Database }; readonly caller?: { readonly isServer: boolean } },
  id: string,
  read: () => Promise<Answer>,
) => Promise<Answer>

type Kept<Answer> = { readonly answer: Answer; readonly version: number; readonly parts: number }
type Shelf<Answer> = {
  readonly byId: Map<string, Kept<Answer>>
  parts: number
  readonly shared: ReturnType<typeof share<Answer>>
}

/**
 * Caches answers of one kind by id. `partsOf` measures an answer's size, and the cached answers of one database have
 * at most `partsLimit` parts together.
 */
export function keptAnswers<Answer extends object>(
  kind: AnswerKind,
  partsLimit: number,
  partsOf: (answer: Answer) => number,
): KeptAnswers<Answer> {
  const shelves = new WeakMap<Database, Shelf<Answer>>()

  return async ({ ctx: { database }, caller }, id, read) => {
    if (caller?.isServer) return read()
    let shelf = shelves.get(database)
    if (!shelf) {
      shelf = { byId: new Map(), parts: 0, shared: share() }
      shelves.set(database, shelf)
    }
    const version = database.version(kind)
    if (version === undefined) return shelf.shared(id, async () => keepText(await read()))
    const kept = shelf.byId.get(id)
    if (kept?.version === version) return kept.answer
    const answer = await read()
    // A write during the read may be in one part of the answer and missing in another.
    if (database.version(kind) !== version) return answer
    keep(shelf, id, { answer: keepText(answer), version, parts: partsOf(answer) }, partsLimit)
    return answer
  }
}

/** Replaces the cached answer; evicts the oldest ones while over the limit. */
function keep<Answer>(shelf: Shelf<Answer>, id: string, kept: Kept<Answer>, partsLimit: number): void {
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
