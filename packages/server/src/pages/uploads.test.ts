import { mostPictureBytes } from '@tollgate/contract/picture'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pngOf } from '../features/pictures/testing/pictures.ts'
import { createTestServer, type Person, type TestServer, type Visitor } from '../testing.ts'
import { location, page, send, stateOf } from './testing/forms.ts'

/** Forms with a file, as a browser without JavaScript posts them. */

let server: TestServer
let ada: Person

beforeAll(async () => {
  server = await createTestServer()
  ada = await server.signedUp('Ada')
  await ada.post('/organization/create', { name: 'Acme', slug: 'acme' })
})

afterAll(() => server[Symbol.asyncDispose]())

/** Posts the field `picture` beside the form's name. */
async function upload(
  visitor: Visitor,
  path: string,
  form: string,
  file: Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) {
  const fields = new FormData()
  fields.set('form', form)
  fields.set('picture', new File([file], 'picture.png', { type: 'image/png' }))
  const posted = new Response(fields)
  return visitor.request('POST', path, {
    raw: new Uint8Array(await posted.arrayBuffer()),
    headers: { 'content-type': posted.headers.get('content-type') ?? '', ...headers },
  })
}

const imageOf = async (person: Person): Promise<string | null> => (await person.get('/get-session')).body.user.image

test('a form uploads the picture of an account, and another one removes it', async () => {
  const uploaded = await upload(ada, '/account', 'picture', pngOf(60, 40))
  expect(location(uploaded)).toEqual([303, '/account?done=saved'])
  expect(await imageOf(ada)).toMatch(/^http:\/\/localhost:3000\/pictures\/[\w-]+\.jpg$/)

  expect(location(await send(ada, '/account', { form: 'picture-remove' }))).toEqual([303, '/account?done=saved'])
  expect(await imageOf(ada)).toBeNull()
})

test('a form uploads the logo of the page’s organization, and another one removes it', async () => {
  const saved = [303, '/org/acme/settings?done=organization-saved']
  const logo = async () => {
    const { body } = await ada.get('/organization/list')
    return body[0].logo
  }

  expect(location(await upload(ada, '/org/acme/settings', 'organization-logo', pngOf(60, 40)))).toEqual(saved)
  expect(await logo()).toContain('/pictures/')
  expect(location(await send(ada, '/org/acme/settings', { form: 'organization-logo-remove' }))).toEqual(saved)
  expect(await logo()).toBeNull()
})

test.each([
  ['without a file', new Uint8Array(0), 400, { fields: { picture: 'PICTURE_REQUIRED' } }],
  ['with a file that is no picture', new Uint8Array(100), 400, { fields: { picture: 'PICTURE_UNREADABLE' } }],
  [
    'with a file of more than 5 MB',
    new Uint8Array(mostPictureBytes + 1),
    400,
    { fields: { picture: 'PICTURE_TOO_LARGE' } },
  ],
  [
    'with a body that is not read to its end',
    new Uint8Array(mostPictureBytes + 100_000),
    400,
    { code: 'PICTURE_TOO_LARGE' },
  ],
])('a form %s is refused on its page', async (_, file, status, state) => {
  const before = await imageOf(ada)

  const answer = await upload(ada, '/account', 'picture', file)

  expect([answer.status, stateOf(answer)]).toMatchObject([status, state])
  expect(await imageOf(ada)).toBe(before)
})

test('a form that ends too early is refused', async () => {
  const answer = await ada.request('POST', '/account', {
    raw: '--x\r\ncontent-disposition: form-data; name="form"\r\n\r\npic',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  })

  expect([answer.status, stateOf(answer).code]).toEqual([400, 'MALFORMED_REQUEST'])
})

test('uploads of one address are counted before they are read, together with those of programs', async () => {
  await using limited = await createTestServer({ rateLimit: { enabled: true } })
  const grace = await limited.signedUp('Grace')
  const ended = () =>
    grace.request('POST', '/account', {
      raw: '--x\r\ncontent-disposition: form-data; name="form"\r\n\r\npic',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })

  const whole = await upload(grace, '/account', 'picture', new Uint8Array(10))
  const call = await grace.request('POST', '/api/auth/upload-image', { raw: 'none' })
  const statuses: number[] = []
  for (let index = 0; index < 19; index += 1) statuses.push((await ended()).status)

  expect([whole.status, call.status, ...statuses]).toEqual([...Array(20).fill(400), 429])
})

test('a page without pictures takes no file', async () => {
  expect((await upload(ada, '/account/security', 'change-password', pngOf(6, 4))).status).toBe(415)
})

test('only signed-in users upload, and only from our own pages', async () => {
  const stranger = await upload(server.visitor(), '/account', 'picture', pngOf(6, 4))
  expect(location(stranger)).toEqual([303, '/sign-in?callbackURL=%2Faccount'])

  const foreign = await upload(ada, '/account', 'picture', pngOf(6, 4), { origin: 'https://evil.example' })
  expect([foreign.status, stateOf(foreign).code]).toEqual([403, 'INVALID_ORIGIN'])
  expect(await imageOf(ada)).toBeNull()
})

test('a page shows the forms without a script', async () => {
  const { text } = await page(ada, '/account')

  expect(text).toMatch(/<form[^>]* action="\/account"[^>]*encType="multipart\/form-data"/i)
  expect(text).toMatch(/<input[^>]*type="file"[^>]*accept="image\/jpeg,image\/png,image\/webp"/)
})
