import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { page } from '../../pages/testing/forms.ts'
import { createTestServer, type Person, type TestServer } from '../../testing.ts'
import { createShop, fixedPrice, type Shop } from '../billing/testing/shop.ts'

let server: TestServer
let root: Person
let shop: Shop
let book: string

beforeAll(async () => {
  server = await createTestServer()
  root = await server.administrator('Root')
  shop = await createShop(server)
  book = await shop.product([fixedPrice(1900)], null, 'Atlas')
})

afterAll(() => server[Symbol.asyncDispose]())

const none = { color: null, background: null, radius: null }
const update = (body: unknown, person: Person = root) => person.post('/admin/update-brand', body)
const events = () =>
  server.tollgate.internals.ctx.db.selectFrom('event').select('data').where('type', '=', 'brand.updated').execute()

describe('the brand of an installation', () => {
  test('begins as the product’s own look, and changes member by member', async () => {
    expect((await root.get('/admin/get-brand')).body).toEqual({ ...none, logo: null })

    await update({ color: '#5B21B6', logo: 'https://acme.example/logo.png' })
    const { status, body } = await update({ radius: 'round' })

    const brand = { color: '#5b21b6', background: null, radius: 'round', logo: 'https://acme.example/logo.png' }
    expect([status, body]).toEqual([200, brand])
    expect((await root.get('/admin/get-brand')).body).toEqual(brand)
    expect((await events()).map(({ data }) => data)).toEqual([{ fields: 'color,logo' }, { fields: 'radius' }])
  })

  test.each([
    [{ color: 'red' }, 'VALIDATION_ERROR'],
    [{ color: '#12345' }, 'VALIDATION_ERROR'],
    [{ background: '#fff;}*{display:none' }, 'VALIDATION_ERROR'],
    [{ radius: '9999px' }, 'VALIDATION_ERROR'],
    [{ logo: 'javascript:alert(1)' }, 'INVALID_IMAGE'],
    [{ logo: 'data:image/svg+xml,<svg/>' }, 'INVALID_IMAGE'],
  ])('refuses %j', async (body, code) => {
    const answer = await update(body)

    expect([answer.status, answer.body.code]).toEqual([400, code])
  })

  test('is for administrators alone', async () => {
    const ada = await server.signedUp('Ada')

    const answers = [await ada.get('/admin/get-brand'), await update({ color: '#000000' }, ada)]

    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [403, 'YOU_ARE_NOT_ALLOWED_TO_CHANGE_THE_BRAND'],
      [403, 'YOU_ARE_NOT_ALLOWED_TO_CHANGE_THE_BRAND'],
    ])
  })
})

describe('mails', () => {
  test('have the installation’s colors, corners and logo', async () => {
    await update({ ...none, color: '#5b21b6', radius: 'square', logo: 'https://acme.example/logo.png?a=1&b=2' })
    const ada = await server.signedUp('Ada')

    const [mail] = await server.mailsTo(ada.email)

    expect(mail!.html).toContain('src="https://acme.example/logo.png?a=1&#38;b=2"')
    expect(mail!.html).toMatch(/class="button" style="[^"]*background-color:#5b21b6;color:#ffffff;border-radius:0px"/)
    expect(mail!.html).toMatch(/class="link" style="[^"]*color:#5b21b6"/)
  })

  test('to buyers have the seller’s name, logo and brand', async () => {
    await update({ ...none, color: '#5b21b6', radius: 'square', logo: 'https://acme.example/logo.png' })
    await shop.patch(`/organizations/${shop.organizationId}`, {
      brand: { color: '#0f766e' },
      avatar_url: 'https://northwind.example/mark.png',
    })
    await shop.buy(book, { customer_email: 'buyer@example.com' })

    const [mail] = await server.mailsTo('buyer@example.com')

    expect(mail!.html).toMatch(
      /<p class="brand"[^>]*><img [^>]*src="https:\/\/northwind.example\/mark.png"[^>]*>Seller \d+<\/p>/,
    )
    expect(mail!.html).toMatch(/class="button" style="[^"]*background-color:#0f766e;color:#ffffff;border-radius:0px"/)
    expect(mail!.html).not.toContain('acme.example')
    await shop.patch(`/organizations/${shop.organizationId}`, { brand: none, avatar_url: null })
  })
})

const pageOf = async (path: string) => (await page(server.visitor(), path)).text
const accentIn = (text: string) => /--tg-accent:light-dark\((#\w{6}), #\w{6}\);--tg-accent-soft/.exec(text)?.[1]

describe('pages', () => {
  test('have the installation’s colors, corners and logo', async () => {
    await update({ ...none, color: '#5b21b6', logo: 'https://acme.example/logo.png' })

    const text = await pageOf('/sign-in')

    expect(accentIn(text)).toBe('#5b21b6')
    expect(text).toContain('src="https://acme.example/logo.png"')
  })

  test('of a seller have the seller’s, and the installation’s in what the seller leaves open', async () => {
    await update({ ...none, color: '#5b21b6', radius: 'square', logo: null })
    const checkout = await shop.checkout(book)
    const paths = [`/checkout/${checkout.client_secret}`, `/pricing/${shop.slug}`]

    const before = await Promise.all(paths.map(pageOf))
    await shop.patch(`/organizations/${shop.organizationId}`, { brand: { color: '#0f766e' } })
    const after = await Promise.all(paths.map(pageOf))

    expect(before.map(accentIn)).toEqual(['#5b21b6', '#5b21b6'])
    expect(after.map(accentIn)).toEqual(['#0f766e', '#0f766e'])
    expect(after.every((text) => text.includes('--tg-r-m:0px'))).toBe(true)
  })

  test('of an invitation have its organization’s, as its mail has, and only for who may see it', async () => {
    await update({ ...none, color: '#5b21b6', logo: null })
    await shop.patch(`/organizations/${shop.organizationId}`, { brand: { color: '#0f766e' } })
    const { organizationId } = shop
    const invitee = { email: 'invited@example.com', role: 'member', organizationId }
    const { body } = await shop.owner.post('/organization/invite-member', invitee)
    const { body: link } = await shop.owner.post('/organization/create-invitation-link', {
      role: 'member',
      organizationId,
    })
    const [mail] = await server.mailsTo(invitee.email)
    const invitation = new URL(mail!.links.find((each) => each.includes(body.id)) ?? '')

    const [invited, joining, stranger] = await Promise.all([
      pageOf(invitation.pathname + invitation.search),
      pageOf(new URL(link.url).pathname),
      pageOf(invitation.pathname),
    ])

    expect(mail!.html).toMatch(/<p class="brand"[^>]*>Seller \d+<\/p>/)
    expect(mail!.html).toMatch(/class="button" style="[^"]*background-color:#0f766e/)
    expect([invited, joining, stranger].map(accentIn)).toEqual(['#0f766e', '#0f766e', '#5b21b6'])
    for (const text of [invited, joining]) expect(text).toMatch(/data-tg="brand"><span data-tg="avatar"/)
    expect(stranger).toMatch(/data-tg="brand"><svg data-tg="gate"/)
  })
})
