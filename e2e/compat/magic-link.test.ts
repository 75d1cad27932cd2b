import { createAuthClient as createClient17 } from 'better-auth/client'
import { emailOTPClient as codes17, magicLinkClient as links17 } from 'better-auth/client/plugins'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshSqlite } from '../faults/databases.ts'
import { type ServerProcess, startServer, until } from '../faults/server-process.ts'
import {
  emailOTPClient as codes12,
  createAuthClient as createClient12,
  magicLinkClient as links12,
} from './better-auth-1.2/client.ts'
import { type Browser, openBrowser } from './browser.ts'

// biome-ignore lint/suspicious/noExplicitAny: the two versions type their answers differently; tests look into both
type Data = any
type Reply = { readonly data: Data; readonly error: { readonly status: number; readonly code?: string } | null }

/** What both generations of the client are asked here. */
type Client = {
  readonly signIn: {
    readonly magicLink: (input: Data) => Promise<Reply>
    readonly emailOtp: (input: { email: string; otp: string }) => Promise<Reply>
  }
  readonly magicLink: { readonly verify: (input: { query: Record<string, string> }) => Promise<Reply> }
  readonly getSession: () => Promise<Reply>
}
type Person = Browser & { readonly client: Client }

const asShared = (client: unknown): Client => client as Client // of its own types only what both share is of use

const versions: readonly { name: string; person(baseURL: string): Person }[] = [
  {
    name: 'better-auth 1.7.7',
    person: (baseURL) => {
      const browser = openBrowser(baseURL)
      const fetchOptions = { customFetchImpl: browser.fetch }
      return {
        ...browser,
        client: asShared(createClient17({ baseURL, plugins: [links17(), codes17()], fetchOptions })),
      }
    },
  },
  {
    name: 'better-auth 1.2.8',
    person: (baseURL) => {
      const browser = openBrowser(baseURL)
      const fetchOptions = { customFetchImpl: browser.fetch }
      return {
        ...browser,
        client: asShared(createClient12({ baseURL, plugins: [links12(), codes12()], fetchOptions })),
      }
    },
  },
]

let databases: FreshDatabase[]
/** As it comes. */
let server: ServerProcess
/** Whose mailed links act at once, as those of better-auth do. */
let direct: ServerProcess

beforeAll(async () => {
  databases = await Promise.all([freshSqlite(), freshSqlite()])
  ;[server, direct] = await Promise.all([
    startServer({ databaseUrl: databases[0]!.url }),
    startServer({ databaseUrl: databases[1]!.url, config: { magicLink: { confirmPage: false } } }),
  ])
})

afterAll(async () => {
  await Promise.all([server, direct].map((each) => each?.[Symbol.asyncDispose]()))
  await Promise.all((databases ?? []).map((each) => each[Symbol.asyncDispose]()))
})

type Mail = { readonly text: string; readonly links: readonly string[] }

async function newestMail(of: ServerProcess, email: string, count = 1): Promise<{ link: string; code: string }> {
  let mails: Mail[] = []
  await until(`${count} mails to ${email}`, 10_000, async () => {
    mails = (await (await fetch(`${of.baseURL}/dev/inbox/messages?to=${encodeURIComponent(email)}`)).json()) as Mail[]
    return mails.length >= count
  })
  return { link: mails[0]!.links[0]!, code: /^\d{6}$/m.exec(mails[0]!.text)![0] }
}

describe.each(versions)('$name', ({ name, person }) => {
  const address = (who: string) => `${who}.${name.replace(/\W/g, '')}@example.com`

  test('signs in by the token of a mailed link, once', async () => {
    const { client } = person(server.baseURL)
    const email = address('link')

    expect(await client.signIn.magicLink({ email, name: 'Ada', callbackURL: '/inside' })).toMatchObject({
      data: { status: true },
      error: null,
    })
    const { link } = await newestMail(server, email)
    const token = new URL(link).searchParams.get('token')!
    const { data, error } = await client.magicLink.verify({ query: { token } })

    expect(error).toBeNull()
    expect(data).toMatchObject({ token: expect.any(String), user: { email, name: 'Ada', emailVerified: true } })
    expect((await client.getSession()).data).toMatchObject({ session: { token: data.token }, user: { email } })
    const again = await person(server.baseURL).client.magicLink.verify({ query: { token } })
    expect(again.error).toMatchObject({ status: 401, code: 'INVALID_TOKEN' })
  })

  test('follows a mailed link that acts at once, to where a new or a known user goes', async () => {
    const ada = person(direct.baseURL)
    const email = address('visit')
    const targets = { callbackURL: '/inside', newUserCallbackURL: '/welcome', errorCallbackURL: '/again' }
    const follow = async (count: number) => {
      expect((await ada.client.signIn.magicLink({ email, ...targets })).error).toBeNull()
      return (await ada.visit((await newestMail(direct, email, count)).link)).headers.get('location')
    }

    expect([await follow(1), await follow(2)]).toEqual(['/welcome', '/inside'])

    expect((await ada.client.getSession()).data.user.email).toBe(email)
    const used = await ada.visit((await newestMail(direct, email, 2)).link)
    expect([used.status, used.headers.get('location')]).toEqual([302, '/again?error=INVALID_TOKEN'])
  })

  test('signs in by the code of the same mail', async () => {
    const { client } = person(server.baseURL)
    const email = address('code')
    await client.signIn.magicLink({ email })
    const { code } = await newestMail(server, email)

    const wrong = await client.signIn.emailOtp({ email, otp: code === '000000' ? '000001' : '000000' })
    const right = await client.signIn.emailOtp({ email, otp: code })

    expect(wrong.error).toMatchObject({ status: 400, code: 'INVALID_OTP' })
    expect(right.data).toMatchObject({ token: expect.any(String), user: { email, emailVerified: true } })
    expect((await client.getSession()).data.user.email).toBe(email)
  })
})
