import { expect, test } from 'vitest'
import { type CallAnswer, call, cookieOf, password, signedUp } from './calls.ts'
import { freshPostgres, freshSqlite } from './databases.ts'
import { startServer } from './server-process.ts'

const turns = 3

/** Making users costs a hash each, which is most of the time that this takes. */
const crowds = [
  { crowd: '200 on SQLite', people: 200, fresh: freshSqlite },
  { crowd: '80 on PostgreSQL', people: 80, fresh: freshPostgres },
] as const

test.each(crowds)(
  'F-crosstalk: none of $crowd concurrent users sees another’s data',
  async ({ people, fresh }) => {
    await using database = await fresh()
    await using server = await startServer({ databaseUrl: database.url, env: { LOG_LEVEL: 'fatal' } })
    const { baseURL } = server
    const faults: string[] = []
    let answers = 0

    /** One person's calls, one after the other over whatever connection is free, with wrong ones in between. */
    const live = async (index: number): Promise<void> => {
      const tag = `tag${String(index).padStart(4, '0')}x`
      const headers = { 'user-agent': tag }
      const email = `${tag}@example.com`
      const check = (what: string, answer: CallAnswer, status: number) => {
        answers += 1
        const said = `${answer.text}\n${[...answer.headers].join('\n')}`
        for (const [found] of said.matchAll(/tag\d{4}x/g))
          if (found !== tag) faults.push(`${what}: ${tag} saw ${found}`)
        if (answer.status !== status) faults.push(`${what}: ${tag} got ${answer.status} ${answer.text}`)
        return answer
      }
      let cookie = await signedUp(baseURL, email, tag)
      for (let turn = 0; turn < turns; turn += 1) {
        const me = { cookie, headers }
        const known = check('get-session', await call(baseURL, '/get-session', undefined, me), 200)
        if (known.body?.user.email !== email) faults.push(`get-session: ${tag} is ${known.text}`)
        check('update-user', await call(baseURL, '/update-user', { name: `${tag} ${turn}` }, me), 200)
        check('malformed', await call(baseURL, '/update-user', `{"name":"${tag}`, me), 400)
        const again = check('get-session', await call(baseURL, '/get-session', undefined, me), 200)
        if (again.body?.user.name !== `${tag} ${turn}`)
          faults.push(`get-session: ${tag} reads an old name: ${again.text}`)
        check('unknown', await call(baseURL, `/no-such-call-${tag}`, undefined, me), 404)
        check(
          'origin',
          await call(baseURL, '/update-user', {}, { cookie, headers: { ...headers, origin: 'https://evil.example' } }),
          403,
        )
        check(
          'forged',
          await call(baseURL, '/list-sessions', undefined, { cookie: cookie.replace(/\.[^.]+$/, '.forged'), headers }),
          401,
        )
        const list = check('list-sessions', await call(baseURL, '/list-sessions', undefined, me), 200)
        if (list.body?.length !== 1) faults.push(`list-sessions: ${tag} has ${list.body?.length}`)
      }
      check('sign-out', await call(baseURL, '/sign-out', {}, { cookie, headers }), 200)
      check('signed out', await call(baseURL, '/get-session', undefined, { cookie, headers }), 200)
      if (index % 10 > 0) return
      const signedIn = check('sign-in', await call(baseURL, '/sign-in/email', { email, password }, { headers }), 200)
      cookie = cookieOf(signedIn.headers)
      check('get-session', await call(baseURL, '/get-session', undefined, { cookie, headers }), 200)
    }
    await Promise.all(Array.from({ length: people }, (_, index) => live(index)))

    expect(faults).toEqual([])
    expect(answers).toBeGreaterThan(people * turns * 8)
  },
  600_000,
)
