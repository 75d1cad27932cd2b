import { expect, test } from 'vitest'
import { type Company, foundedCompany, verified } from '../features/organization/testing/company.ts'
import { days } from '../foundation/clock.ts'
import type { TollgateConfig } from '../foundation/config/config.ts'
import { createTestServer, type Person, type TestServer, type Visitor } from '../testing.ts'
import { dataOf, location, page, send, stateOf } from './testing/forms.ts'

const alan = 'alan@example.org'

/** Opens a page and returns its props. */
const seen = async (visitor: Visitor, path: string) => dataOf(await page(visitor, path))

async function acme(config: TollgateConfig = {}): Promise<{ server: TestServer; company: Company }> {
  const server = await createTestServer(config)
  return { server, company: await foundedCompany(server) }
}

type Invited = { readonly id: string; readonly link: string; readonly proof: string }

/** Invites an address; returns the invitation and the path of its mailed link. */
async function invited(server: TestServer, { owner }: Company, email = alan, role = 'member'): Promise<Invited> {
  const { body } = await owner.post('/organization/invite-member', { email, role })
  const links = (await server.mailsTo(email)).flatMap((mail) => mail.links)
  const { pathname, search, searchParams } = new URL(links.find((each) => each.includes(body.id)) ?? '')
  return { id: body.id, link: pathname + search, proof: searchParams.get('proof') ?? '' }
}

async function linked({ owner }: Company, options: object = {}): Promise<string> {
  const { body } = await owner.post('/organization/create-invitation-link', { role: 'member', ...options })
  return new URL(body.url).pathname
}

const tokenOf = (path: string): string => path.split('/').at(-1) ?? ''

/** Answers an invitation without the proof: the session's address authorizes it. */
const answer = (person: Visitor, path: string, form: string, values: Record<string, string>) =>
  send(person, path, { form, ...values })

test('a visitor with the mail sees the inviter, the organization and the role; without it, nothing', async () => {
  const { server, company } = await acme()
  await using _ = server
  const { id, link, proof } = await invited(server, company)

  const shown = await seen(server.visitor(), link)
  const bare = await page(server.visitor(), `/accept-invitation/${id}`)
  const wrong = await page(server.visitor(), `/accept-invitation/${id}?proof=wrong`)
  const none = await page(server.visitor(), '/accept-invitation/nothing?proof=wrong')

  expect(shown).toMatchObject({
    status: 'signed-out',
    session: null,
    invitationId: id,
    proof,
    signUp: true,
    invitation: { organizationName: 'acme', email: alan, role: 'member', inviterEmail: company.owner.email },
  })
  for (const each of [bare, wrong, none]) {
    expect([each.status, dataOf(each).status]).toEqual([200, 'signed-out'])
    expect(dataOf(each)).not.toHaveProperty('invitation')
    expect(each.text).not.toMatch(/acme|alan@/)
  }
})

test('the links to sign in and to sign up lead back with the proof, which no other site learns', async () => {
  const { server, company } = await acme()
  await using _ = server
  const { id, link, proof } = await invited(server, company)
  const back = `/accept-invitation/${id}?proof=${proof}`

  const { text, headers } = await page(server.visitor(), link)

  const hrefs = [...text.matchAll(/href="(\/sign-(?:in|up)[^"]*)"/g)].map(([, href = '']) => {
    const url = new URL(href.replaceAll('&amp;', '&'), server.baseURL)
    return [url.pathname, Object.fromEntries(url.searchParams)]
  })
  expect(hrefs).toContainEqual(['/sign-in', { callbackURL: back }])
  expect(hrefs).toContainEqual(['/sign-up', { invitation: id, proof, callbackURL: back }])
  expect(headers.get('referrer-policy')).toBe('strict-origin')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('content-encoding')).toBeNull()
  expect((await seen(server.visitor(), `/sign-in?callbackURL=${encodeURIComponent(back)}`)).callbackURL).toBe(back)
})

test('an account made from the mail has the invited address, and joins', async () => {
  const { server, company } = await acme()
  await using _ = server
  const { id, link, proof } = await invited(server, company)
  const visitor = server.visitor()
  const signUp = `/sign-up?invitation=${id}&proof=${proof}&callbackURL=${encodeURIComponent(link)}`

  const form = await page(visitor, signUp)
  expect(dataOf(form)).toMatchObject({ invitation: { id, proof, email: alan, organizationName: 'acme' } })
  expect(form.text).toMatch(/<input[^>]*readOnly[^>]*value="alan@example\.org"|value="alan@example\.org"[^>]*readOnly/i)
  const hidden = { invitationId: id, invitationProof: proof, callbackURL: link }
  for (const [name, value] of Object.entries(hidden))
    expect(form.text).toContain(`name="${name}" value="${value.replaceAll('&', '&amp;')}"`)

  const values = { form: 'sign-up', name: 'Alan', email: alan, ...hidden }
  const short = await send(visitor, '/sign-up', { ...values, password: 'short' })
  expect([short.status, dataOf(short).invitation?.email]).toEqual([400, alan])
  expect(location(await send(visitor, '/sign-up', { ...values, password: 'correct horse battery' }))).toEqual([
    303,
    link,
  ])
  expect((await visitor.get('/get-session')).body.user).toMatchObject({ email: alan, emailVerified: true })
  expect((await seen(visitor, link)).status).toBe('ready')
  expect(location(await answer(visitor, link, 'invitation-accept', { invitationId: id, proof }))).toEqual([
    303,
    '/org/acme',
  ])
  expect((await visitor.get('/get-session')).body.organization).toMatchObject({ slug: 'acme', roles: ['member'] })
})

test('a sign-up page with a wrong proof is like any other', async () => {
  const { server, company } = await acme()
  await using _ = server
  const { id } = await invited(server, company)

  const form = await page(server.visitor(), `/sign-up?invitation=${id}&proof=wrong`)

  expect(form.status).toBe(200)
  expect(dataOf(form)).not.toHaveProperty('invitation')
  expect(form.text).not.toContain(alan)
})

test('the owner of the invited address accepts; a second time they are in already', async () => {
  const { server, company } = await acme()
  await using _ = server
  const ada = await server.signedUp('Ada')
  const { id, link, proof } = await invited(server, company, ada.email)
  const other = await invited(server, company, 'other@example.org')

  expect((await seen(ada, link)).status).toBe('ready')
  expect(location(await answer(ada, link, 'invitation-accept', { invitationId: id, proof }))).toEqual([
    303,
    '/org/acme',
  ])
  expect((await page(ada, '/org/acme')).status).toBe(200)

  expect(await seen(ada, link)).toMatchObject({ status: 'already-member', invitation: { organizationSlug: 'acme' } })
  expect((await seen(ada, other.link)).status).toBe('other-account')
  const again = await answer(ada, link, 'invitation-accept', { invitationId: id, proof })
  expect([again.status, dataOf(again).status]).toEqual([400, 'already-member'])
  const owners = await page(company.owner, `/accept-invitation/${id}`)
  expect(dataOf(owners).status).toBe('not-found')
  expect(owners.text).not.toContain(ada.email)

  await ada.post('/organization/leave', { organizationId: company.id })
  expect((await seen(ada, link)).status).toBe('used')
})

test('the page tells a member with a further invitation that they are one', async () => {
  const { server, company } = await acme()
  await using _ = server
  const ada = await server.signedUp('Ada')
  await verified(server, ada)
  const { id, link, proof } = await invited(server, company, ada.email)
  await server.tollgate.api.addMember({ body: { userId: ada.id, role: 'member', organizationId: company.id } })

  expect((await seen(ada, link)).status).toBe('already-member')
  const refused = await answer(ada, link, 'invitation-accept', { invitationId: id, proof })
  expect([refused.status, dataOf(refused).status]).toEqual([400, 'already-member'])
})

test('with another account only the proof shows the needed address, and signing out leads back', async () => {
  const { server, company } = await acme()
  await using _ = server
  const eve = await server.signedUp('Eve')
  await verified(server, eve)
  const { id, link, proof } = await invited(server, company)

  expect(await seen(eve, link)).toMatchObject({ status: 'other-account', invitation: { email: alan } })
  const bare = await page(eve, `/accept-invitation/${id}`)
  expect(dataOf(bare).status).toBe('other-account')
  expect(bare.text).not.toMatch(/acme|alan@/)
  const stolen = await answer(eve, link, 'invitation-accept', { invitationId: id, proof })
  expect([stolen.status, dataOf(stolen).status]).toEqual([403, 'other-account'])

  expect(location(await send(eve, '/sign-out', { form: 'sign-out', callbackURL: link }))).toEqual([303, link])
  expect((await seen(eve, link)).status).toBe('signed-out')
  expect(location(await send(eve, '/sign-out', { form: 'sign-out', callbackURL: 'https://evil.example/' }))[1]).toBe(
    '/sign-in?done=signed-out',
  )
})

test('an unproved address does not show its invitations, and can be proved from here', async () => {
  const { server, company } = await acme()
  await using _ = server
  const ada = await server.signedUp('Ada')
  const { id } = await invited(server, company, ada.email)
  const path = `/accept-invitation/${id}`

  const shown = await page(ada, path)
  expect(dataOf(shown).status).toBe('unverified')
  expect(dataOf(shown)).not.toHaveProperty('invitation')
  const resend = { form: 'resend-verification', email: ada.email, callbackURL: path }
  expect(location(await send(ada, '/verify-email', resend))[0]).toBe(303)
  const links = (await server.mailsTo(ada.email)).flatMap((mail) => mail.links)
  const { pathname, search } = new URL(links.find((each) => each.includes(`callbackURL=%2Faccept`)) ?? '')
  expect(location(await page(ada, pathname + search))).toEqual([302, path])
  expect((await seen(ada, path)).status).toBe('ready')
})

test('a form posted without a session continues after signing in', async () => {
  const { server, company } = await acme()
  await using _ = server
  const { id, link, proof } = await invited(server, company)
  const back = encodeURIComponent(`/accept-invitation/${id}?proof=${proof}`)

  for (const form of ['invitation-accept', 'invitation-reject'])
    expect(location(await answer(server.visitor(), link, form, { invitationId: id, proof }))).toEqual([
      303,
      `/sign-in?callbackURL=${back}`,
    ])
})

test('an invitation is declined, from its page and from the account', async () => {
  const { server, company } = await acme()
  await using _ = server
  const ada = await server.signedUp('Ada')
  await verified(server, ada)
  const first = await invited(server, company, ada.email)
  const page1 = `/accept-invitation/${first.id}`

  expect(
    location(await answer(ada, page1, 'invitation-reject', { invitationId: first.id, proof: first.proof })),
  ).toEqual([303, `${page1}?done=invitation-rejected`])
  expect((await seen(ada, `${page1}?done=invitation-rejected`)).status).toBe('rejected')
  expect((await seen(ada, page1)).status).toBe('rejected')

  const second = await invited(server, company, ada.email)
  const list = '/account/organizations'
  expect((await seen(ada, list)).invitations).toMatchObject([{ id: second.id, organizationName: 'acme' }])
  expect(location(await answer(ada, list, 'invitation-reject', { invitationId: second.id }))).toEqual([
    303,
    `${list}?done=invitation-rejected`,
  ])
  expect(await seen(ada, `${list}?done=invitation-rejected`)).toMatchObject({
    invitations: [],
    state: { done: 'invitation-rejected' },
  })
})

test('an invitation is accepted from the account', async () => {
  const { server, company } = await acme()
  await using _ = server
  const ada = await server.signedUp('Ada')
  await verified(server, ada)
  const { id } = await invited(server, company, ada.email)
  const accept = () => answer(ada, '/account/organizations', 'invitation-accept', { invitationId: id })

  expect(location(await accept())).toEqual([303, '/org/acme'])
  const again = await accept()
  expect([again.status, dataOf(again).page, stateOf(again).form]).toEqual([
    400,
    'account-organizations',
    'invitation-accept',
  ])
})

test('an invitation from a former member is no longer valid', async () => {
  const { server, company } = await acme()
  await using _ = server
  const grace = await company.member('admin', 'Grace')
  const ada = await server.signedUp('Ada')
  await verified(server, ada)
  const orphan = await invited(server, { ...company, owner: grace }, ada.email)

  await grace.post('/organization/leave', { organizationId: company.id })

  expect((await seen(ada, orphan.link)).status).toBe('inviter-gone')
  const refused = await answer(ada, orphan.link, 'invitation-accept', { invitationId: orphan.id, proof: orphan.proof })
  expect([refused.status, dataOf(refused).status]).toEqual([400, 'inviter-gone'])

  await server.clock.advance(days(2))
  expect((await seen(server.visitor(), orphan.link)).status).toBe('inviter-gone')
})

/** The ways an invitation ends, and the page for each. */
const ends: Readonly<Record<string, (server: TestServer, company: Company, invitation: Invited) => Promise<unknown>>> =
  {
    expired: async ({ clock }) => clock.advance(days(2)),
    canceled: (_, { owner }, { id }) => owner.post('/organization/cancel-invitation', { invitationId: id }),
    rejected: async (server, _, { id, proof }) => {
      const alan = await accountOf(server)
      return alan.post('/organization/reject-invitation', { invitationId: id, proof })
    },
    used: async (server, _, { id, proof }) => {
      const alan = await accountOf(server)
      return alan.post('/organization/accept-invitation', { invitationId: id, proof })
    },
  }

/** Creates the account of the invited address. */
async function accountOf(server: TestServer): Promise<Visitor> {
  const person = server.visitor()
  await person.post('/sign-up/email', { name: 'Alan', email: alan, password: 'correct horse battery' })
  return person
}

test.each(Object.keys(ends))(
  'the mail’s link shows that an invitation is %s; without the proof there is nothing',
  async (status) => {
    const { server, company } = await acme()
    await using _ = server
    const ada = await server.signedUp('Ada')
    const eve = server.visitor()
    const invitation = await invited(server, company)
    /** The page without the invitation id from the URL. */
    const shown = async (visitor: Visitor, id: string) => {
      const answer = await page(visitor, `/accept-invitation/${id}?proof=wrong`)
      return [answer.status, answer.text.slice(answer.text.indexOf('<body>')).replaceAll(id, 'x')]
    }

    await ends[status]?.(server, company, invitation)

    for (const holder of [eve, ada])
      expect(await seen(holder, invitation.link)).toMatchObject({
        status,
        invitation: { email: alan, organizationName: 'acme' },
      })
    for (const visitor of [eve, ada]) {
      expect(await shown(visitor, invitation.id)).toEqual(await shown(visitor, 'unknown-invitation'))
      const bare = await page(visitor, `/accept-invitation/${invitation.id}`)
      expect(dataOf(bare).status).toBe(visitor === ada ? 'not-found' : 'signed-out')
      expect(bare.text).not.toMatch(/acme|alan@/)
    }
  },
)

test('a signed-out visitor with a used invitation signs in to get to the organization', async () => {
  const { server, company } = await acme()
  await using _ = server
  const { id, link, proof } = await invited(server, company)
  const account = await accountOf(server)
  await account.post('/organization/accept-invitation', { invitationId: id, proof })

  const { text } = await page(server.visitor(), link)

  expect(text).toContain(`href="/sign-in?callbackURL=${encodeURIComponent(link)}"`)
  expect(text).not.toContain('href="/sign-up')
  expect((await seen(account, link)).status).toBe('already-member')
})

test('a recipient with a verified address sees that an invitation is over without its mail', async () => {
  const { server, company } = await acme()
  await using _ = server
  const ada = await server.signedUp('Ada')
  const { id, link, proof } = await invited(server, company, ada.email)
  await server.clock.advance(days(2))
  const bare = `/accept-invitation/${id}`

  expect((await seen(ada, bare)).status).toBe('not-found')
  await verified(server, ada)
  const shown = await page(ada, bare)
  expect(dataOf(shown).status).toBe('expired')
  expect(shown.text).toContain('Olga can send you a new one to acme.')
  const refused = await answer(ada, link, 'invitation-accept', { invitationId: id, proof })
  expect([refused.status, dataOf(refused).status]).toEqual([400, 'expired'])

  const renewed = await company.owner.post('/organization/invite-member', { email: ada.email, role: 'member' })
  expect(renewed.body.id).toBe(id)
  expect((await seen(server.visitor(), link)).status).toBe('signed-out')
  expect((await seen(ada, bare)).status).toBe('ready')
})

test('a full organization shows it', async () => {
  const { server, company } = await acme({ organization: { membershipLimit: 1 } })
  await using _ = server
  const ada = await server.signedUp('Ada')
  await verified(server, ada)
  const { id, link, proof } = await invited(server, company, ada.email)
  const shared = await linked(company)

  const refused = await answer(ada, link, 'invitation-accept', { invitationId: id, proof })
  const byLink = await send(ada, shared, { form: 'link-join', token: tokenOf(shared) })

  expect([refused.status, dataOf(refused).status]).toEqual([403, 'full'])
  expect([byLink.status, dataOf(byLink).status]).toEqual([403, 'full'])
})

test('a visitor with a link sees where it leads, and joins by it', async () => {
  const { server, company } = await acme()
  await using _ = server
  const ada = await server.signedUp('Ada')
  const path = await linked(company)

  const shown = await page(server.visitor(), path)
  expect(dataOf(shown)).toMatchObject({
    status: 'signed-out',
    session: null,
    token: tokenOf(path),
    link: { organizationName: 'acme', role: 'member' },
  })
  expect(shown.headers.get('referrer-policy')).toBe('strict-origin')
  expect(shown.headers.get('cache-control')).toBe('no-store')
  const join = (person: Visitor) => send(person, path, { form: 'link-join', token: tokenOf(path) })
  expect(location(await join(server.visitor()))).toEqual([303, `/sign-in?callbackURL=${encodeURIComponent(path)}`])
  expect((await seen(ada, path)).status).toBe('wants-verified')
  const unproved = await join(ada)
  expect([unproved.status, dataOf(unproved).status]).toEqual([403, 'wants-verified'])
  await verified(server, ada)
  expect((await seen(ada, path)).status).toBe('ready')
  expect(location(await join(ada))).toEqual([303, '/org/acme'])
  expect((await seen(ada, path)).status).toBe('already-member')
  const again = await join(ada)
  expect([again.status, dataOf(again).status]).toEqual([400, 'already-member'])
})

test('a new user proves their address by a mail that leads back to the link', async () => {
  const { server, company } = await acme()
  await using _ = server
  const path = await linked(company)
  const signUp = (callbackURL: string, email: string) =>
    send(server.visitor(), '/sign-up', {
      form: 'sign-up',
      name: 'Alan',
      email,
      password: 'correct horse battery',
      callbackURL,
    })
  const ledTo = async (email: string) => {
    const [link = ''] = (await server.mailsTo(email)).flatMap((mail) => mail.links)
    return new URL(link).searchParams.get('callbackURL')
  }

  await signUp(path, alan)
  await signUp('https://evil.example/join/x', 'other@example.org')

  expect(await ledTo(alan)).toBe(path)
  expect(await ledTo('other@example.org')).toBe('/verify-email')
})

test('a link with an approver takes a request, once', async () => {
  const { server, company } = await acme()
  await using _ = server
  const ada = await server.signedUp('Ada')
  const path = await linked(company, { requiresApproval: true })
  await verified(server, ada)
  const ask = () => send(ada, path, { form: 'link-join', token: tokenOf(path) })

  expect(location(await ask())).toEqual([303, `${path}?done=join-requested`])
  expect((await seen(ada, `${path}?done=join-requested`)).status).toBe('requested')
  const again = await ask()
  expect([again.status, dataOf(again).status]).toEqual([400, 'requested'])
  expect((await page(ada, '/org/acme')).status).toBe(404)
})

test('a link for some domains is for proved addresses of them', async () => {
  const { server, company } = await acme()
  await using _ = server
  const ada = await server.signedUp('Ada')
  const path = await linked(company, { emailDomains: ['example.com'] })
  const foreign = await linked(company, { emailDomains: ['elsewhere.example'] })
  const join = (link: string) => send(ada, link, { form: 'link-join', token: tokenOf(link) })

  expect((await seen(ada, path)).status).toBe('wants-verified')
  expect((await join(path)).status).toBe(403)
  await verified(server, ada)
  expect((await seen(ada, foreign)).status).toBe('other-domain')
  const refused = await join(foreign)
  expect([refused.status, dataOf(refused).status]).toEqual([403, 'other-domain'])
  expect((await seen(ada, path)).status).toBe('ready')
  expect(location(await join(path))).toEqual([303, '/org/acme'])
})

test('an unknown and a used-up link are the same', async () => {
  const { server, company } = await acme()
  await using _ = server
  const [ada, bob] = [await server.signedUp('Ada'), await server.signedUp('Bob')]
  const once = await linked(company, { maxUses: 1 })
  await verified(server, ada)
  await send(ada, once, { form: 'link-join', token: tokenOf(once) })

  for (const path of [once, '/join/nothing', `/join/${'x'.repeat(300)}`]) {
    const shown = await seen(bob, path)
    expect([path, shown.status, shown.link]).toEqual([path, 'not-found', undefined])
    const refused = await send(bob, path, { form: 'link-join', token: tokenOf(path) })
    expect(refused.status).toBe(400)
  }
})

test('an organization of one’s domain is joined from the account, or asked to', async () => {
  const records: string[][] = []
  await using server = await createTestServer({}, { resolveTxt: async () => records })
  const company = await foundedCompany(server)
  const { body: domain } = await company.owner.post('/organization/add-domain', {
    domain: 'example.com',
    joinMode: 'request',
  })
  records.push([domain.record.value])
  await company.owner.post('/organization/verify-domain', { domainId: domain.id })
  const [ada, bob] = [await server.signedUp('Ada'), await server.signedUp('Bob')]
  for (const person of [ada, bob]) await verified(server, person)
  const list = '/account/organizations'
  const join = (person: Person) => send(person, list, { form: 'organization-join', organizationId: company.id })

  expect((await seen(ada, list)).joinable).toMatchObject([{ slug: 'acme', joinMode: 'request', requested: false }])
  expect(location(await join(ada))).toEqual([303, `${list}?done=join-requested`])
  expect((await seen(ada, list)).joinable).toMatchObject([{ requested: true }])
  expect((await join(ada)).status).toBe(400)
  await company.owner.post('/organization/update-domain', { domainId: domain.id, joinMode: 'auto' })
  expect(location(await join(bob))).toEqual([303, '/org/acme'])
})
