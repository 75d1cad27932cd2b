import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrand } from '../../foundation/brand.repository.ts'
import { hours } from '../../foundation/clock.ts'
import { createTestServer, type Person, type TestAnswer, type TestServer } from '../../testing.ts'
import { deleteUnshownPictures } from './picture.repository.ts'
import { pictureHead } from './picture-size.ts'
import { readdressPictures } from './readdress.service.ts'
import { hiddenJpeg, hollowPng, jpegOfScans, pngOf, pngText, webp } from './testing/pictures.ts'

let server: TestServer
let ada: Person

beforeAll(async () => {
  server = await createTestServer()
  ada = await server.signedUp('Ada')
})

afterAll(() => server[Symbol.asyncDispose]())

const send = (
  path: string,
  raw: Uint8Array<ArrayBuffer>,
  person: Pick<Person, 'request'> = ada,
  headers: Record<string, string> = {},
): Promise<TestAnswer> =>
  person.request('POST', `/api/auth${path}`, { raw, headers: { 'content-type': 'image/png', ...headers } })

const show = (url: string, method = 'GET') => server.visitor().request(method, new URL(url).pathname)
/** The picture behind an address, as bytes. */
async function bytesOf(url: string): Promise<Buffer> {
  const response = await server.tollgate.handler(new Request(url), { remoteAddress: '127.0.0.1' })
  return Buffer.from(await response.arrayBuffer())
}
const pictures = () => server.tollgate.internals.ctx.db.selectFrom('picture').select(['id', 'userId']).execute()
const imageOf = async (person: Person) => (await person.get('/get-session')).body.user.image as string

describe('a picture of a user', () => {
  test('is made smaller, keeps its proportions, and is in the session’s answer at once', async () => {
    const { status, body } = await send('/upload-image', pngOf(1000, 500))

    expect([status, body.image]).toEqual([
      200,
      expect.stringMatching(/^http:\/\/localhost:3000\/pictures\/[\w-]+\.jpg$/),
    ])
    expect(await imageOf(ada)).toBe(body.image)
    const shown = await show(body.image)
    expect([shown.status, Object.fromEntries(shown.headers)]).toMatchObject([
      200,
      {
        'content-type': 'image/jpeg',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      },
    ])
    expect(pictureHead(await bytesOf(body.image))).toMatchObject({ width: 512, height: 256, mediaType: 'image/jpeg' })
    expect(shown.headers.get('content-length')).toBe((await show(body.image, 'HEAD')).headers.get('content-length'))
  })

  test('with transparent parts stays transparent, and a small one keeps its size', async () => {
    const { body } = await send('/upload-image', pngOf(40, 30, { alpha: 128 }))

    expect(body.image).toMatch(/\.png$/)
    expect(pictureHead(await bytesOf(body.image))).toMatchObject({ width: 40, height: 30, mediaType: 'image/png' })
  })

  test('keeps nothing that the camera or program wrote beside the picture', async () => {
    const { body } = await send('/upload-image', pngOf(40, 30, { alpha: 128, more: [pngText('52.5N 13.4E')] }))

    expect((await bytesOf(body.image)).includes('52.5N')).toBe(false)
  })

  test('may be a WebP, whatever the sender calls it', async () => {
    expect((await send('/upload-image', webp, ada, { 'content-type': 'text/plain' })).status).toBe(200)
  })

  test('takes the place of the former one, whose address shows nothing from then on', async () => {
    const grace = await server.signedUp('Grace')
    const { body: first } = await send('/upload-image', pngOf(8, 8), grace)
    const { body: second } = await send('/upload-image', pngOf(8, 8), grace)

    expect(first.image).not.toBe(second.image)
    expect([(await show(first.image)).status, (await show(second.image)).status]).toEqual([404, 200])
    expect((await pictures()).filter(({ userId }) => userId === grace.id)).toHaveLength(1)
  })

  test('stays single when two come at once', async () => {
    const grace = await server.signedUp('Grace')

    const answers = await Promise.all(Array.from({ length: 2 }, () => send('/upload-image', pngOf(8, 8), grace)))

    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await pictures()).filter(({ userId }) => userId === grace.id)).toHaveLength(1)
    expect((await show(await imageOf(grace))).status).toBe(200)
  })

  test('goes with the user', async () => {
    const grace = await server.signedUp('Grace')
    const { body } = await send('/upload-image', pngOf(8, 8), grace)
    await server.tollgate.internals.ctx.transaction((tx) => tx.deleteFrom('user').where('id', '=', grace.id).execute())

    expect((await show(body.image)).status).toBe(404)
  })

  test.each([
    ['nothing', Buffer.alloc(0), '400 PICTURE_UNREADABLE'],
    ['a text', Buffer.from('not a picture'), '400 PICTURE_UNREADABLE'],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), '400 PICTURE_UNREADABLE'],
    ['a GIF', Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64'), '400 PICTURE_UNREADABLE'],
    ['half a PNG', pngOf(300, 300).subarray(0, 60), '400 PICTURE_UNREADABLE'],
    ['a PNG that holds less than it says', hollowPng(4000, 4000), '400 PICTURE_UNREADABLE'],
    ['a PNG that would take gigabytes', hollowPng(60_000, 60_000), '400 PICTURE_TOO_LARGE'],
    ['a PNG without width', hollowPng(0, 100), '400 PICTURE_UNREADABLE'],
    ['a PNG of one endless line', hollowPng(16_777_216, 1), '400 PICTURE_TOO_LARGE'],
    ['a JPEG that hides its size', hiddenJpeg(64, 14_000), '400 PICTURE_UNREADABLE'],
    ['a JPEG that makes the decoder pass over it many times', jpegOfScans(33), '400 PICTURE_UNREADABLE'],
    ['more than 5 MB', Buffer.alloc(5 * 1024 * 1024 + 1), '413 REQUEST_BODY_IS_TOO_LARGE'],
  ])('is refused as %s, and the former one stays', async (_, raw, refusal) => {
    const before = await imageOf(ada)

    const { status, body } = await send('/upload-image', raw)

    expect(`${status} ${body.code}`).toBe(refusal)
    expect(await imageOf(ada)).toBe(before)
  })

  test('may be a JPEG of many scans, as programs write them', async () => {
    expect((await send('/upload-image', jpegOfScans(32))).status).toBe(200)
  })

  test('of many pixels keeps its proportions', async () => {
    const { body } = await send('/upload-image', pngOf(4096, 3000))

    expect(pictureHead(await bytesOf(body.image))).toEqual({ mediaType: 'image/jpeg', width: 512, height: 375 })
  })

  test('waits for no slow upload of another user, while its own user’s slow uploads refuse it', async () => {
    const grace = await server.signedUp('Grace')
    const cookie = [...grace.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const gate = Promise.withResolvers<void>()
    const slow = () => {
      const body = new ReadableStream<Uint8Array>({
        pull: async (stream) => {
          await gate.promise
          stream.enqueue(pngOf(8, 8))
          stream.close()
        },
      })
      return server.tollgate.handler(
        new Request(new URL('/api/auth/upload-image', server.baseURL), {
          method: 'POST',
          body,
          duplex: 'half',
          headers: { cookie, origin: new URL(server.baseURL).origin, 'content-type': 'image/png' },
        } as RequestInit), // `duplex` is missing from the types
        { remoteAddress: '127.0.0.1' },
      )
    }
    const running = Array.from({ length: 2 }, slow)
    const refused = await slow()
    const other = await send('/upload-image', pngOf(8, 8))
    gate.resolve()

    expect([refused.status, refused.headers.get('retry-after'), other.status]).toEqual([429, '5', 200])
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200])
  })

  test('cannot be sent by another site, or without a session', async () => {
    const fromElsewhere = await send('/upload-image', pngOf(8, 8), ada, { origin: 'https://evil.example' })
    const signedOut = await send('/upload-image', pngOf(8, 8), server.visitor())

    expect([fromElsewhere, signedOut].map(({ status, body }) => `${status} ${body.code}`)).toEqual([
      '403 INVALID_ORIGIN',
      '401 UNAUTHORIZED',
    ])
  })
})

test.each(['/pictures/nothing.jpg', '/pictures/..%2f.jpg', '/pictures/a.svg', `/pictures/${'a'.repeat(500)}.png`])(
  '%s is not found',
  async (path) => {
    expect((await server.visitor().request('GET', path)).status).toBe(404)
  },
)

test('uploads are limited for each address', async () => {
  await using limited = await createTestServer({ rateLimit: { enabled: true } })
  const person = await limited.signedUp('Ada')

  const statuses: number[] = []
  for (let index = 0; index < 21; index += 1)
    statuses.push((await send('/upload-image', Buffer.from('none'), person)).status)

  expect(statuses).toEqual([...Array(20).fill(400), 429])
})

test('a logo of an organization takes the right to update it, in the organization that is named', async () => {
  const { body: organization } = await ada.post('/organization/create', { name: 'Engines', slug: 'engines' })
  const stranger = await server.signedUp('Stranger')
  const path = `/organization/upload-logo?organizationId=${organization.id}`

  const refused = await send(path, pngOf(8, 8), stranger)
  const { status, body } = await send(path, pngOf(8, 8))

  expect([refused.status, refused.body.code]).toEqual([400, 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION'])
  expect([status, body.id]).toEqual([200, organization.id])
  expect((await show(body.logo)).status).toBe(200)
  const [owned] = (await ada.get('/organization/list')).body
  expect(owned.logo).toBe(body.logo)
})

test('the logo of the installation is set by administrators alone', async () => {
  const root = await server.administrator('Root')

  const refused = await send('/admin/upload-brand-logo', pngOf(8, 8))
  const { status, body } = await send('/admin/upload-brand-logo', pngOf(8, 8), root)
  const again = await send('/admin/upload-brand-logo', pngOf(8, 8), root)

  expect([refused.status, refused.body.code]).toEqual([403, 'YOU_ARE_NOT_ALLOWED_TO_CHANGE_THE_BRAND'])
  expect([status, again.status]).toEqual([200, 200])
  expect((await root.get('/admin/get-brand')).body.logo).toBe(again.body.logo)
  expect([(await show(body.logo)).status, (await show(again.body.logo)).status]).toEqual([200, 200])
})

test('a replaced logo keeps its address, for mails that were sent; of many the last ten do', async () => {
  const root = await server.administrator('Root')
  const owner = await server.signedUp('Owner')
  const { body: shop } = await owner.post('/organization/create', { name: 'Shop', slug: 'shop-of-many-logos' })
  const logos: string[] = []
  for (let index = 0; index < 12; index += 1) {
    const { body } = await send(`/organization/upload-logo?organizationId=${shop.id}`, pngOf(8, 8), owner)
    logos.push(body.logo)
    server.clock.advance(1000)
  }
  const { body: brand } = await send('/admin/upload-brand-logo', pngOf(8, 8), root)
  await send('/admin/upload-brand-logo', pngOf(8, 8), root)
  const shown = () => Promise.all([...logos, brand.logo].map(async (url) => (await show(url)).status))

  server.clock.advance(hours(1))
  await server.tollgate.internals.ctx.jobs.runDue()
  expect(await shown()).toEqual([404, ...Array(12).fill(200)])

  await owner.post('/organization/update', { organizationId: shop.id, data: { logo: logos[3] } })
  expect(await shown()).toEqual([404, ...Array(12).fill(200)])

  await owner.post('/organization/update', { organizationId: shop.id, data: { logo: null } })
  expect(await shown()).toEqual([...Array(12).fill(404), 200])
})

test('logos of an organization go with it, the replaced ones too', async () => {
  const owner = await server.signedUp('Owner')
  const { body: shop } = await owner.post('/organization/create', { name: 'Shop', slug: 'shop-that-ends' })
  const path = `/organization/upload-logo?organizationId=${shop.id}`
  const { body: first } = await send(path, pngOf(8, 8), owner)
  const { body: second } = await send(path, pngOf(8, 8), owner)

  await owner.post('/organization/delete', { organizationId: shop.id })

  expect([(await show(first.logo)).status, (await show(second.logo)).status]).toEqual([404, 404])
})

test('an administrator whose session ends while the picture is developed changes nothing', async () => {
  const root = await server.administrator('Root')
  const before = (await root.get('/admin/get-brand')).body.logo

  const sending = send('/admin/upload-brand-logo', pngOf(2000, 2000), root)
  await root.post('/sign-out')
  const { status } = await sending

  expect([401, 403]).toContain(status)
  const other = await server.administrator('Other')
  expect((await other.get('/admin/get-brand')).body.logo).toBe(before)
})

test('when the address of the installation changes, so do those of its pictures, and no other', async () => {
  const { ctx } = server.tollgate.internals
  const grace = await server.signedUp('Grace')
  const root = await server.administrator('Root')
  await send('/upload-image', pngOf(8, 8), grace)
  await send('/admin/upload-brand-logo', pngOf(8, 8), root)
  const elsewhere = await server.signedUp('Elsewhere')
  await send('/upload-image', pngOf(8, 8), elsewhere)
  await elsewhere.post('/update-user', { image: 'https://cdn.example/me.png' })
  const moved = { ...ctx, config: { ...ctx.config, baseURL: new URL('https://accounts.example') } }

  await readdressPictures(moved)

  const imageIn = async ({ id }: Person) =>
    (await ctx.db.selectFrom('user').select('image').where('id', '=', id).executeTakeFirstOrThrow()).image
  expect(await imageIn(grace)).toMatch(/^https:\/\/accounts\.example\/pictures\//)
  expect(await imageIn(elsewhere)).toBe('https://cdn.example/me.png')
  expect((await findBrand(ctx.db)).logo).toMatch(/^https:\/\/accounts\.example\/pictures\//)
  await readdressPictures(ctx)
  expect(await imageIn(grace)).toMatch(/^http:\/\/localhost:3000\/pictures\//)
})

test('a picture that its holder removes, or replaces by an address, is gone at once, and every other stays', async () => {
  const [grace, alan, eve] = [
    await server.signedUp('Grace'),
    await server.signedUp('Alan'),
    await server.signedUp('Eve'),
  ]
  const root = await server.administrator('Root')
  const owner = await server.signedUp('Owner')
  const { body: shop } = await owner.post('/organization/create', { name: 'Shop', slug: 'shop-with-logo' })
  const logoOf = (organizationId: string) => `/organization/upload-logo?organizationId=${organizationId}`
  const { body: removed } = await send('/upload-image', pngOf(8, 8), grace)
  const { body: kept } = await send('/upload-image', pngOf(8, 8), alan)
  const { body: byAdministrator } = await send('/upload-image', pngOf(8, 8), eve)
  const { body: logo } = await send(logoOf(shop.id), pngOf(8, 8), owner)
  const { body: brand } = await send('/admin/upload-brand-logo', pngOf(8, 8), root)
  const addresses = [removed.image, kept.image, byAdministrator.image, logo.logo, brand.logo]
  const shown = () => Promise.all(addresses.map(async (url) => (await show(url)).status))

  await alan.post('/update-user', { name: 'Alan T.', image: kept.image })
  await owner.post('/organization/update', { organizationId: shop.id, data: { name: 'Shops', logo: logo.logo } })
  await root.post('/admin/update-brand', { logo: brand.logo, radius: 4 })
  expect(await shown()).toEqual([200, 200, 200, 200, 200])

  await grace.post('/update-user', { image: null })
  await root.post('/admin/update-user', { userId: eve.id, data: { image: 'https://cdn.example/eve.png' } })
  expect(await shown()).toEqual([404, 200, 404, 200, 200])

  await owner.post('/organization/update', { organizationId: shop.id, data: { logo: 'https://cdn.example/logo.png' } })
  await root.post('/admin/update-brand', { logo: null })
  expect(await shown()).toEqual([404, 200, 404, 404, 404])
})

test('a picture that is shown no more without a trace of its removal is gone within an hour', async () => {
  const { ctx } = server.tollgate.internals
  const [grace, alan] = [await server.signedUp('Grace'), await server.signedUp('Alan')]
  const { body: lost } = await send('/upload-image', pngOf(8, 8), grace)
  const { body: kept } = await send('/upload-image', pngOf(8, 8), alan)
  await ctx.transaction((tx) => tx.updateTable('user').set({ image: null }).where('id', '=', grace.id).execute())

  server.clock.advance(hours(1))
  await ctx.jobs.runDue()

  expect([(await show(lost.image)).status, (await show(kept.image)).status]).toEqual([404, 200])
})

test('pictures that are uploaded while others are swept stay', async () => {
  const { ctx } = server.tollgate.internals
  const grace = await server.signedUp('Grace')
  const sweep = () => ctx.transaction(deleteUnshownPictures)

  await Promise.all([
    ...Array.from({ length: 2 }, () => send('/upload-image', pngOf(8, 8), grace)),
    ...Array.from({ length: 8 }, sweep),
  ])

  expect((await show(await imageOf(grace))).status).toBe(200)
})
