import { setTimeout as wait } from 'node:timers/promises'
import { createTollgate, type TollgateConfig, type TollgateOptions } from 'tollgate'
import { listen } from 'tollgate/node'
import { createSetupLink } from '../../packages/server/src/features/identity/first-admin.service.ts'
import { freePort } from '../../testing/free-port.ts'

/** A mail of the developer inbox, as far as tests look into it. */
export type Mail = {
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly links: readonly string[]
}

/** A whole server in this process, on a port of its own, as `npm start` would run it. */
export type Site = AsyncDisposable & {
  readonly origin: string
  /** Waits until a mail with these words in its subject has arrived for an address; the newest of them. */
  mailTo(address: string, subject?: string): Promise<Mail>
  /** Moves the server's clock ahead by an ISO 8601 duration. */
  advance(duration: string): Promise<void>
  /** Creates a user by API; returns the id. */
  account(person: Person & { readonly username?: string }): Promise<string>
  /** Follows the newest link that confirms an address. */
  confirm(email: string): Promise<void>
  /** Creates a user's organization with other members by role; returns the id. */
  organization(
    given: { readonly name: string; readonly slug: string },
    owner: string,
    members?: Readonly<Record<string, string>>,
  ): Promise<string>
  /** The link that the site prints at its first start: who follows it becomes the administrator. */
  setupLink(): Promise<string>
  /** Creates the administrator with it. */
  administrator(person: Person): Promise<void>
}

export type Person = { readonly name: string; readonly email: string; readonly password: string }

/** Starts a server in development mode, with a database in memory. */
export async function openSite(
  config: TollgateConfig = {},
  { env = {}, ...options }: Pick<TollgateOptions, 'fetch'> & { readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Site> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const tollgate = await createTollgate(config, {
    ...options,
    env: {
      TOLLGATE_MODE: 'development',
      PORT: String(port),
      BASE_URL: origin,
      SECRET: 'a secret of tests that is long enough to be one',
      DATABASE_URL: 'sqlite::memory:',
      LOG_LEVEL: 'error',
      ...env,
    },
  })
  const running = await listen(tollgate)

  const post = async (path: string, body: object) => {
    const answer = await fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return answer
  }
  const mailTo = async (address: string, subject = '') => {
    for (let attempt = 0; attempt < 600; attempt++) {
      const answer = await fetch(`${origin}/dev/inbox/messages?to=${encodeURIComponent(address)}`)
      const mails = (await answer.json()) as Mail[] // the inbox's own answer, newest first
      const found = mails.find((mail) => mail.subject.includes(subject))
      if (found) return found
      await wait(50)
    }
    throw new Error(`No mail about ${JSON.stringify(subject)} has arrived for ${address}`)
  }
  return {
    origin,
    mailTo,
    advance: async (duration) => void (await post('/dev/clock', { advance: duration })),
    account: async (person) => {
      const answer = await post('/api/auth/sign-up/email', { ...person, callbackURL: '/verify-email' })
      return ((await answer.json()) as { user: { id: string } }).user.id // its own answer
    },
    confirm: async (email) => {
      const [link = ''] = (await mailTo(email, 'Confirm')).links
      const answer = await fetch(link, { redirect: 'manual' })
      if (answer.status !== 302) throw new Error(`${link} answered ${answer.status}`)
    },
    organization: async (given, owner, members = {}) => {
      const { id } = await tollgate.api.createOrganization({ body: { ...given, userId: owner } })
      for (const [userId, role] of Object.entries(members))
        await tollgate.api.addMember({ body: { organizationId: id, userId, role } })
      return id
    },
    setupLink: () => createSetupLink(tollgate.internals.ctx),
    administrator: async (person) => {
      const link = new URL(await createSetupLink(tollgate.internals.ctx))
      await post('/api/auth/sign-up/email', { ...person, setupToken: link.searchParams.get('setupToken') })
    },
    [Symbol.asyncDispose]: () => running.stop(),
  }
}
