import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { freePort } from '../../testing/free-port.ts'
import { freshPostgres } from './databases.ts'
import { killPoints } from './kill-points.ts'
import { callsTo, done, organizationFaults, rolesIn, type Somebody } from './organization-people.ts'
import { type ServerOptions, startServer, until } from './server-process.ts'
import { lookInto } from './state.ts'

/** kill -9 leaves no half of an organization (security, invariants 2, 3 and 5). */

const preload = new URL('./kill-at-statement.mjs', import.meta.url)

const config: ServerOptions['config'] = {
  organization: { requireEmailVerificationOnInvitation: false, teams: { enabled: true } },
}

const organizations = (url: string): Promise<string[]> =>
  lookInto(url, async ({ db }) =>
    (await db.selectFrom('organization').select('slug').execute()).map(({ slug }) => slug),
  )

type Story = {
  /** Where the counting of statements begins. */
  readonly from: string
  /** Prepares a round at a server that is not killed, and gives the call during which the other one is. */
  readonly prepare: (at: ReturnType<typeof callsTo>, round: number) => Promise<[Somebody, path: string, body: object]>
  /** Whether what was called for has been done, wholly. */
  readonly isDone: (url: string, round: number) => Promise<boolean>
}

const members = new Map<number, { readonly organizationId: string; readonly invited: string }>()

const stories: Record<string, Story> = {
  create: {
    from: 'insert into "organization"',
    prepare: async (at, round) => {
      const [ada] = await at.signUp(1)
      return [ada!, '/organization/create', { name: 'Acme', slug: `created-${round}` }]
    },
    isDone: async (url, round) => (await organizations(url)).includes(`created-${round}`),
  },
  accept: {
    from: 'insert into "member"',
    prepare: async (at, round) => {
      const [ada, bob] = await at.signUp(2)
      const organization = await at.found(ada!)
      const invitationId = await at.invite(organization, bob!.email)
      members.set(round, { organizationId: organization.id, invited: bob!.id })
      return [bob!, '/organization/accept-invitation', { invitationId }]
    },
    isDone: async (url, round) => {
      const { organizationId, invited } = members.get(round)!
      return Object.hasOwn(await rolesIn(url, organizationId), invited)
    },
  },
  delete: {
    from: 'delete from "organization"',
    prepare: async (at, round) => {
      const [ada, bob] = await at.signUp(2)
      const { id } = await at.found(ada!, [[bob!, 'admin']])
      members.set(round, { organizationId: id, invited: ada!.id })
      return [ada!, '/organization/delete', { organizationId: id }]
    },
    isDone: async (url, round) => {
      const { organizationId } = members.get(round)!
      return Object.keys(await rolesIn(url, organizationId)).length === 0
    },
  },
}

const { first, stride, moments, named, timeout } = killPoints({ stride: 2, moments: 3 })

test.each(Object.keys(stories))(
  `F-kill-organization: killed at any statement of %s, a server has done all of it or nothing (${named})`,
  async (name) => {
    const { from, prepare, isDone } = stories[name]!
    await using database = await freshPostgres()
    const env = { LOG_LEVEL: 'fatal' }
    await using staying = await startServer({ databaseUrl: database.url, config, env })
    const at = callsTo([staying], staying.baseURL)
    const outcomes: string[] = []
    for (let round = first; outcomes.at(-1) !== 'answered'; round += stride) {
      if (round > 30) throw new Error('The call never came to its end')
      const [who, path, body] = await prepare(at, round)
      await using killed = await startServer({
        databaseUrl: database.url,
        config,
        preload,
        env: { ...env, BASE_URL: staying.baseURL, FAULT_FROM: from, FAULT_STATEMENT: String(round) },
      })

      const { status } = await callsTo([killed], staying.baseURL).post(who, path, body)

      const isWhole = await isDone(database.url, round)
      expect([0, 200]).toContain(status)
      outcomes.push(status === 200 ? 'answered' : isWhole ? 'whole' : 'none')
      if (status === 200) expect(isWhole).toBe(true)
      else expect(await killed.exited).toMatchObject({ signal: 'SIGKILL' })
      expect(await organizationFaults(database.url)).toEqual([])
      // Nothing is locked by the dead: the other process does it, unless it has been done.
      const again = await at.post(who, path, body)
      expect(again.status).toBe(outcomes.at(-1) === 'none' ? 200 : 400)
    }
    expect(outcomes.join(' ')).toMatch(/^(none )+(whole )*answered$/)
    expect(await organizationFaults(database.url)).toEqual([])
  },
  timeout,
)

test(
  'F-kill-organization: killed at random moments of many calls at once, nothing is halved and nothing acknowledged is lost',
  async () => {
    await using database = await freshPostgres()
    const env = { LOG_LEVEL: 'fatal' }
    await using staying = await startServer({ databaseUrl: database.url, config, env })
    const at = callsTo([staying], staying.baseURL)
    const owners = await at.signUp(4)
    const guests = await at.signUp(4)
    const port = await freePort()
    const created = new Set<string>()
    const deleted = new Set<string>()
    for (let round = 0; round < moments; round += 1) {
      await using killed = await startServer({
        databaseUrl: database.url,
        config,
        port,
        env: { ...env, BASE_URL: staying.baseURL },
      })
      const there = callsTo([killed], staying.baseURL)
      let answered = 0
      /** Creates an organization, adds a member, and deletes every second one, until the server is killed. */
      const lives = owners.map(async (owner, index) => {
        for (let count = 0; ; count += 1) {
          const slug = `o-${round}-${index}-${count}`
          const made = await there.post(owner, '/organization/create', { name: slug, slug })
          if (made.status === 0) return
          expect(made.status).toBe(200)
          created.add(slug)
          answered += 1
          const { email } = guests[index]!
          const organizationId: string = made.body.id
          const invited = await there.post(owner, '/organization/invite-member', {
            organizationId,
            email,
            role: 'member',
          })
          if (invited.status === 0) return
          const leaving = count % 2 === 0 ? there.post(owner, '/organization/delete', { organizationId }) : undefined
          const accepted = await there.post(guests[index]!, '/organization/accept-invitation', {
            invitationId: invited.body.id,
          })
          const gone = await leaving
          if (gone) deleted.add(slug)
          if (accepted.status === 0 || gone?.status === 0) return
          expect([200, 400]).toContain(accepted.status)
        }
      })
      await until('the first answers of the round', 20_000, () => answered > 3)
      await wait(randomInt(0, 150))
      await killed.end('SIGKILL')
      await Promise.all(lives)

      expect(await organizationFaults(database.url)).toEqual([])
    }

    const kept = await organizations(database.url)
    expect([...created].filter((slug) => !deleted.has(slug) && !kept.includes(slug))).toEqual([])
    // Dead processes block no other process.
    await done(at.post(owners[0]!, '/organization/create', { name: 'Last', slug: 'last' }))
  },
  timeout,
)
