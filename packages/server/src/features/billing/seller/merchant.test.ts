import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seconds } from '../../../foundation/clock.ts'
import { bodyOfEvent } from '../../../foundation/db/event-body.ts'
import { createTestServer, type Person, type TestServer, testStart } from '../../../testing.ts'
import { createTestMerchant, type TestMerchant } from '../testing/merchant.ts'

let server: TestServer
let merchant: TestMerchant
let other: TestMerchant
beforeAll(async () => {
  server = await createTestServer()
  merchant = await createTestMerchant(server)
  other = await createTestMerchant(server)
})
afterAll(() => server[Symbol.asyncDispose]())

const v1 = (person: Pick<Person, 'request'>, method: string, path: string, body?: unknown) =>
  person.request(method, `/v1${path}`, body === undefined ? {} : { body })

/** The events for webhooks of a seller, newest first. */
const told = async (organizationId: string) => {
  const { db } = server.tollgate.internals.ctx
  const rows = await db
    .selectFrom('event')
    .select(['type', bodyOfEvent().as('payload')])
    .where('merchantId', '=', organizationId)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ type, payload }) => ({ type, payload: JSON.parse(payload ?? 'null') }))
}

let made = 0
/** A person with a new organization that awaits approval. */
async function founder(role?: string): Promise<{ person: Person; organizationId: string; slug: string }> {
  made += 1
  const person = await server.signedUp(`Founder ${made}`)
  const slug = `founded-${made}`
  const { body } = await person.post('/organization/create', { name: `Founded ${made}`, slug })
  if (role !== undefined) {
    const { ctx } = server.tollgate.internals
    await ctx.transaction((tx) =>
      tx.updateTable('member').set({ role }).where('organizationId', '=', body.id).execute(),
    )
  }
  return { person, organizationId: body.id, slug }
}

describe('an organization as a seller', () => {
  test('is readable with its own token, starting with every user’s fields', async () => {
    const { status, body } = await merchant.get(`/organizations/${merchant.organizationId}`)

    expect(status).toBe(200)
    expect(body).toEqual({
      id: merchant.organizationId,
      created_at: testStart.toISOString(),
      modified_at: null,
      name: expect.stringMatching(/^Seller/),
      slug: merchant.slug,
      avatar_url: null,
      brand: { color: null, background: null, radius: null },
      email: null,
      website: null,
      socials: [],
      details_submitted_at: null,
      feature_settings: { issue_funding_enabled: false, usage_based_billing_enabled: false },
      subscription_settings: {
        allow_multiple_subscriptions: false,
        allow_customer_updates: true,
        proration_behavior: 'prorate',
        dunning_retry_after_days: null,
        benefit_revocation_grace_period: 0,
      },
      may_sell: true,
    })
  })

  test('of another organization is not found, neither by a token nor by a session, nor to be changed', async () => {
    const path = `/organizations/${other.organizationId}`

    expect((await merchant.get(path)).status).toBe(404)
    expect((await merchant.patch(path, { name: 'Mine now' })).status).toBe(404)
    expect((await v1(merchant.owner, 'GET', path)).status).toBe(404)
    expect((await v1(merchant.owner, 'PATCH', path, { name: 'Mine now' })).status).toBe(404)
    expect((await other.get(path)).body.name).not.toBe('Mine now')
    expect((await merchant.get('/organizations/a%00b')).status).toBe(422)
    expect((await v1(merchant.owner, 'GET', '/organizations/a%00b')).status).toBe(404)
  })

  test('is listed alone for a token, and with all others for a member of several', async () => {
    const { person, organizationId } = await founder()
    const second = await person.post('/organization/create', { name: 'Aardvark', slug: 'aardvark' })

    expect((await merchant.get('/organizations')).body).toMatchObject({
      items: [{ id: merchant.organizationId }],
      pagination: { total_count: 1, max_page: 1 },
    })
    const ids = async (query: string) =>
      (await v1(person, 'GET', `/organizations/${query}`)).body.items.map(({ id }: { id: string }) => id)
    expect(await ids('?sorting=name')).toEqual([second.body.id, organizationId])
    expect(await ids('?slug=AARDVARK')).toEqual([second.body.id])
    expect(await ids(`?organization_id=${organizationId}&organization_id=${merchant.organizationId}`)).toEqual([
      organizationId,
    ])
    expect(await ids(`?slug=${merchant.slug}`)).toEqual([])
    expect(await ids('?limit=1&page=2&sorting=-name')).toEqual([second.body.id])
  })

  test('is listed for no user who is not signed in, and without those that ask for a verified address', async () => {
    const { person, organizationId } = await founder()
    const { ctx } = server.tollgate.internals
    await ctx.transaction((tx) =>
      tx.updateTable('organization').set({ requireVerifiedEmail: true }).where('id', '=', organizationId).execute(),
    )

    expect((await v1(server.visitor(), 'GET', '/organizations')).status).toBe(401)
    expect((await v1(person, 'GET', '/organizations')).body.items).toEqual([])
    expect((await v1(await server.signedUp('Nobody'), 'GET', '/organizations')).body.items).toEqual([])
  })

  test('is read by every member, in which one acts or not, and before it may sell', async () => {
    const { person, organizationId } = await founder('member')
    await person.post('/organization/set-active', { organizationId: null })

    const { status, body } = await v1(person, 'GET', `/organizations/${organizationId}`)

    expect([status, body.may_sell]).toEqual([200, false])
  })
})

describe('a change of the seller', () => {
  test('is merged into the settings, and recorded in both logs', async () => {
    const { person, organizationId } = await founder()
    server.clock.advance(seconds(5))
    const path = `/organizations/${organizationId}`

    const first = await v1(person, 'PATCH', path, {
      name: '  Corner Shop ',
      avatar_url: 'https://cdn.example.com/shop.png',
      email: 'Help@Shop.example',
      website: 'https://shop.example',
      socials: [{ platform: 'github', url: 'https://github.com/shop' }],
      feature_settings: { usage_based_billing_enabled: true },
      subscription_settings: { allow_multiple_subscriptions: true },
    })
    const second = await v1(person, 'PATCH', path, {
      feature_settings: { issue_funding_enabled: true },
      subscription_settings: { proration_behavior: 'invoice' },
      website: '',
    })

    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body).toMatchObject({
      name: 'Corner Shop',
      avatar_url: 'https://cdn.example.com/shop.png',
      email: 'help@shop.example',
      website: null,
      socials: [{ platform: 'github', url: 'https://github.com/shop' }],
      feature_settings: { issue_funding_enabled: true, usage_based_billing_enabled: true },
      subscription_settings: {
        allow_multiple_subscriptions: true,
        allow_customer_updates: true,
        proration_behavior: 'invoice',
      },
      details_submitted_at: null,
      modified_at: server.clock.now().toISOString(),
    })
    expect((await told(organizationId)).map(({ type }) => type)).toEqual([
      'organization.updated',
      'organization.updated',
    ])
    expect((await told(organizationId))[0]?.payload).toEqual(second.body)
    expect((await server.events('organization.updated')).at(-2)).toEqual({
      actorId: person.id,
      userId: null,
      data: { fields: 'website,featureSettings,subscriptionSettings' },
    })
    const { body } = await person.get(`/organization/get-full-organization?organizationId=${organizationId}`)
    expect([body.name, body.logo]).toEqual(['Corner Shop', 'https://cdn.example.com/shop.png'])
  })

  test('of nothing sends no event', async () => {
    const { person, organizationId } = await founder()

    const { status, body } = await v1(person, 'PATCH', `/organizations/${organizationId}`, {
      name: null,
      socials: null,
    })

    expect([status, body.modified_at]).toEqual([200, null])
    expect(await told(organizationId)).toEqual([])
  })

  test('of its details records the time', async () => {
    const details = {
      about: 'A shop',
      product_description: 'Things',
      intended_use: 'Selling them',
      customer_acquisition: ['word of mouth'],
      future_annual_revenue: 1000,
    }

    const { status, body } = await merchant.patch(`/organizations/${merchant.organizationId}`, { details })

    expect([status, body.details_submitted_at]).toEqual([200, server.clock.now().toISOString()])
  })

  test.each([
    [{ name: 'ab' }, ['body', 'name']],
    [{ name: 'Shop\u202e' }, ['body', 'name']],
    [{ email: 'nobody' }, ['body', 'email']],
    [{ website: 'javascript:alert(1)' }, ['body', 'website']],
    [{ avatar_url: 'data:image/png;base64,AAAA' }, ['body', 'avatar_url']],
    [{ socials: [{ platform: 'pigeon', url: 'https://a.example' }] }, ['body', 'socials', 0, 'platform']],
    [
      { subscription_settings: { proration_behavior: 'maybe' } },
      ['body', 'subscription_settings', 'proration_behavior'],
    ],
    [{ feature_settings: { issue_funding_enabled: 'yes' } }, ['body', 'feature_settings', 'issue_funding_enabled']],
    [{ details: { about: 'x' } }, ['body', 'details', 'product_description']],
  ])('is refused for %j', async (change, loc) => {
    const { status, body } = await merchant.patch(`/organizations/${merchant.organizationId}`, change)

    expect(status).toBe(422)
    expect(body.detail.map((issue: { loc: unknown }) => issue.loc)).toContainEqual(loc)
  })

  test('needs organization:update of a member, and the scope of a token', async () => {
    const { person, organizationId } = await founder('member')

    const { status, body } = await v1(person, 'PATCH', `/organizations/${organizationId}`, { name: 'Mine' })

    expect([status, body.error]).toEqual([403, 'NotPermitted'])
    const reader = await createTestMerchant(server, ['organizations:read'])
    const refused = await reader.patch(`/organizations/${reader.organizationId}`, { name: 'Mine' })
    expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope'])
  })

  test('of its name in the account pages also sends an event to its listeners', async () => {
    const before = (await told(other.organizationId)).length

    await other.owner.post('/organization/update', { data: { name: 'Renamed' }, organizationId: other.organizationId })

    const events = await told(other.organizationId)
    expect(events).toHaveLength(before + 1)
    expect(events[0]).toMatchObject({ type: 'organization.updated', payload: { name: 'Renamed' } })
  })
})

describe('creating a seller', () => {
  const shop = (slug: string) => ({ name: 'New Shop', slug, email: 'shop@example.com' })

  test('makes an organization with its creator as the owner, which waits for its approval', async () => {
    const person = await server.signedUp('Newcomer')

    const { status, body } = await v1(person, 'POST', '/organizations', {
      ...shop('New-Shop'),
      subscription_settings: { allow_customer_updates: false },
    })

    expect(status).toBe(201)
    expect(body).toMatchObject({
      name: 'New Shop',
      slug: 'new-shop',
      email: 'shop@example.com',
      may_sell: false,
      subscription_settings: { allow_multiple_subscriptions: false, allow_customer_updates: false },
    })
    const { body: own } = await person.get('/organization/list')
    expect(own.map(({ id }: { id: string }) => id)).toEqual([body.id])
    const refused = await v1(person, 'POST', '/customers', { email: 'a@example.com', organization_id: body.id })
    expect([refused.status, refused.body.error]).toEqual([403, 'OrganizationNotApproved'])
  })

  test.each([
    ['ab', 'two letters'],
    ['admin', 'reserved'],
    ['no spaces', 'blanks'],
    ['new-shop', 'taken'],
  ])('is refused with the slug %s (%s)', async (slug) => {
    const { status, body } = await v1(await server.signedUp('Other'), 'POST', '/organizations', shop(slug))

    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'slug']])
  })

  test('is for people, not for tokens, and not for visitors', async () => {
    expect((await merchant.post('/organizations', shop('by-token'))).status).toBe(401)
    expect((await v1(server.visitor(), 'POST', '/organizations', shop('by-visitor'))).status).toBe(401)
  })

  test('with one key makes one organization, and another person with the same key makes their own', async () => {
    const [ada, eve] = [await server.signedUp('Ada'), await server.signedUp('Eve')]
    const create = (person: Person) =>
      person.request('POST', '/v1/organizations', {
        body: shop('keyed-shop'),
        headers: { 'idempotency-key': 'one key for all' },
      })

    const [first, again, hers] = [await create(ada), await create(ada), await create(eve)]

    expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id])
    expect([hers.status, hers.body.detail[0].loc]).toEqual([422, ['body', 'slug']])
  })

  test('twice at the same moment with one slug makes one', async () => {
    const people = [await server.signedUp('Ada'), await server.signedUp('Ben')]

    const answers = await Promise.all(people.map((person) => v1(person, 'POST', '/organizations', shop('raced-shop'))))

    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422])
  })

  test('follows the rules of all organizations', async () => {
    await using strict = await createTestServer({ organization: { allowUserToCreateOrganization: false } })
    const person = await strict.signedUp()

    const { status } = await v1(person, 'POST', '/organizations', shop('not-allowed'))

    expect(status).toBe(403)
  })
})
