import { billingRow } from '@tollgate/contract/events'
import { after, seconds } from '../../../foundation/clock.ts'
import type { Foundation } from '../../../foundation/context.ts'
import type { Id } from '../../../foundation/db/database.ts'
import { sortableIdsFrom } from '../../../foundation/ids.ts'
import { listEventsSince } from './live.repository.ts'

declare module '../../../foundation/context.ts' {
  interface Ports {
    /** Tells open dashboards what changes. */
    readonly live: Live
  }
}

/** An open dashboard. */
export type Follower = {
  /** Whose dashboard it is. */
  readonly userId: Id<'user'>
  /** Called with the objects whose events are new, such as `order`. A call may come without a change. */
  changed(objects: readonly string[]): void
  /** Called when the process stops. */
  ended(): void
}

export type Live = {
  /** Begins to follow an organization; returns what ends it, or undefined if too many follow. */
  follow(organizationId: Id<'organization'>, follower: Follower): (() => void) | undefined
  /** Looks for changes now. A timer does so each second while anyone follows. */
  look(): Promise<void>
  close(): void
}

/** Milliseconds. One query per process, however many follow. */
const lookEvery = seconds(1)
/** How far back each look reads: a transaction may commit this long after it has made the ids of its events. */
const readBack = seconds(10)

/**
 * The most followers of a user in an organization, of a user, of an organization, and of the process: each holds a
 * connection. A browser opens one for all of its tabs. Without a limit of a user, the owner of many organizations could
 * take all connections of the process.
 */
const mostOfUserInOne = 10
const mostOfUser = 30
const mostOfOne = 100
const mostOfAll = 2000
/** The most organizations of one query. */
const batch = 200

/** The events of an organization that the last look found: their types by their ids. */
type Seen = Map<string, string>
type Followed = { readonly followers: Set<Follower>; seen: Seen }

export function createLive({
  db,
  clock,
  log,
  lifecycle,
}: Pick<Foundation, 'db' | 'clock' | 'log' | 'lifecycle'>): Live {
  const followed = new Map<Id<'organization'>, Followed>()
  const ofUsers = new Map<Id<'user'>, number>()
  let all = 0
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined

  function follow(organizationId: Id<'organization'>, follower: Follower): (() => void) | undefined {
    const { followers } = followed.get(organizationId) ?? { followers: new Set() }
    const own = [...followers].filter(({ userId }) => userId === follower.userId)
    if (lifecycle.state !== 'serving' || all >= mostOfAll) return undefined
    if (followers.size >= mostOfOne || own.length >= mostOfUserInOne) return undefined
    if ((ofUsers.get(follower.userId) ?? 0) >= mostOfUser) return undefined
    if (followers.size === 0) followed.set(organizationId, { followers, seen: new Map() })
    followers.add(follower)
    all += 1
    count(follower, 1)
    timer ??= setInterval(() => void look(), lookEvery).unref()
    return () => {
      if (!followers.delete(follower)) return
      all -= 1
      count(follower, -1)
      if (followers.size === 0) followed.delete(organizationId)
      if (followed.size === 0) rest()
    }
  }

  function count({ userId }: Follower, change: 1 | -1): void {
    const next = (ofUsers.get(userId) ?? 0) + change
    if (next === 0) ofUsers.delete(userId)
    else ofUsers.set(userId, next)
  }

  function rest(): void {
    clearInterval(timer)
    timer = undefined
  }

  /** Looks do not overlap: a slow database gets no more of them. */
  function look(): Promise<void> {
    if (lifecycle.state !== 'serving') endAll()
    looking ??= readChanges()
      .catch((err: unknown) => log.warn({ err }, 'Looking for changes failed'))
      .finally(() => {
        looking = undefined
      })
    return looking
  }

  async function readChanges(): Promise<void> {
    const sinceId = sortableIdsFrom(after(clock.now(), -readBack))
    const ids = [...followed.keys()]
    for (let at = 0; at < ids.length; at += batch) {
      const some = ids.slice(at, at + batch)
      const found = new Map(some.map((id): [Id<'organization'>, Seen] => [id, new Map()]))
      for (const { merchantId, id, type } of await listEventsSince(db, some, sinceId))
        if (merchantId !== null) found.get(merchantId)?.set(id, type)
      for (const [id, now] of found) tell(followed.get(id), now)
    }
  }

  /**
   * Each id is compared. The newest id and a count would miss an event that commits late while another one leaves the
   * seconds that are read, or is deleted with its object.
   */
  function tell(organization: Followed | undefined, now: Seen): void {
    if (!organization) return
    const { seen, followers } = organization
    organization.seen = now
    const types = new Set([...now].filter(([id]) => !seen.has(id)).map(([, type]) => type))
    const objects = [...types].flatMap((type) => billingRow(type)?.object ?? [])
    if (objects.length > 0) for (const follower of followers) follower.changed([...new Set(objects)])
  }

  function endAll(): void {
    for (const { followers } of followed.values()) for (const follower of [...followers]) follower.ended()
    rest()
  }

  return { follow, look, close: endAll }
}
