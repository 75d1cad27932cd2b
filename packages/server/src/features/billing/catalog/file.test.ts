import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, hours, minutes, seconds } from '../../../foundation/clock.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { enqueue } from '../../../foundation/jobs.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { pngOf, pngText } from '../../pictures/testing/pictures.ts'
import { createTestMerchant, type TestMerchant } from '../testing/merchant.ts'
import { wrongAt } from '../testing/refusal.ts'
import { announced, png, sendPart, sentFile, sha256Of, uploadedFile } from '../testing/upload.ts'
import { createDiskStore } from './files/store.ts'

let server: TestServer
let seller: TestMerchant
beforeAll(async () => {
  server = await createTestServer()
  seller = await createTestMerchant(server)
})
afterAll(() => server[Symbol.asyncDispose]())

const long = Buffer.concat([png, Buffer.alloc(100_000, 'x')])
const complete = (id: string, completion: object) => seller.post(`/files/${id}/uploaded`, completion)
/** What remains of a file after all due jobs have run. */
const bytesOf = async (id: string) => {
  const { ctx } = server.tollgate.internals
  await ctx.jobs.runDue()
  const stream = await ctx.files.open(id)
  return stream ? Buffer.from(await new Response(stream).arrayBuffer()) : undefined
}
const path404 = '/files/00000000-0000-4000-8000-000000000000/a.png'
const show = (address: string, headers: Record<string, string> = {}, method = 'GET') =>
  server.visitor().request(method, new URL(address, server.baseURL).pathname, { headers })

describe('a picture', () => {
  test('is announced, sent in parts, put together and shown to every user', async () => {
    const start = server.clock.now()
    const given = announced({ bytes: long, partSize: 40_000, name: 'Ein Bild & mehr.png', version: '2' })
    const { status, body: file } = await seller.post('/files/', given)
    const expiresAt = new Date(start.getTime() + minutes(15)).toISOString()
    const shown = {
      id: file.id,
      organization_id: seller.organizationId,
      name: 'Ein Bild & mehr.png',
      path: `product_media/${seller.organizationId}/${file.id}`,
      mime_type: 'image/png',
      size: long.length,
      storage_version: null,
      checksum_etag: null,
      checksum_sha256_base64: null,
      checksum_sha256_hex: null,
      last_modified_at: null,
      version: '2',
      is_uploaded: false,
      service: 'product_media',
      size_readable: '100.0 kB',
    }
    const parts = given.upload.parts.map((part, index) => ({
      ...part,
      checksum_sha256_base64: null,
      url: file.upload.parts[index].url,
      expires_at: expiresAt,
      headers: {},
    }))
    expect([status, file]).toEqual([201, { ...shown, upload: { id: file.id, path: shown.path, parts } }])
    expect(parts).toHaveLength(3)
    expect((await seller.get(`/files?ids=${file.id}`)).body.items).toEqual([])

    server.clock.advance(minutes(1))
    const done: { number: number; checksum_etag: string | null; checksum_sha256_base64: string }[] = []
    // Parts come in any order and repeatedly; the last upload of a part counts.
    for (const part of [parts[2]!, parts[0]!, parts[1]!, parts[0]!]) {
      const bytes = long.subarray(part.chunk_start, part.chunk_end)
      const sent = await sendPart(server, part.url, Buffer.from(bytes))
      expect([sent.status, sent.headers.get('etag')]).toEqual([200, `"${sha256Of(bytes, 'hex')}"`])
      if (!done.some(({ number }) => number === part.number))
        done.push({
          number: part.number,
          checksum_etag: sent.headers.get('etag'),
          checksum_sha256_base64: sha256Of(bytes, 'base64'),
        })
    }
    const completion = { id: file.upload.id, path: file.upload.path, parts: done }
    const completed = await complete(file.id, completion)

    expect([completed.status, completed.body]).toEqual([
      200,
      {
        ...shown,
        created_at: start.toISOString(),
        last_modified_at: server.clock.now().toISOString(),
        is_uploaded: true,
        checksum_etag: sha256Of(long, 'hex'),
        checksum_sha256_hex: sha256Of(long, 'hex'),
        checksum_sha256_base64: sha256Of(long, 'base64'),
        public_url: `http://localhost:3000/files/${file.id}/Ein%20Bild%20%26%20mehr.png`,
      },
    ])
    expect((await complete(file.id, completion)).body).toEqual(completed.body)
    expect((await seller.get(`/files?ids=${file.id}`)).body.items).toEqual([completed.body])
    expect((await sendPart(server, parts[0]!.url, Buffer.from(long.subarray(0, 40_000)))).status).toBe(404)
    const picture = await server.tollgate.handler(new Request(completed.body.public_url))
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(long)
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(long.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      etag: `"${sha256Of(long, 'hex')}-shown"`,
    })
  })

  test('is shown without what the camera wrote beside it, and stored with it', async () => {
    const bytes = pngOf(4, 4, { more: [pngText('52.5N 13.4E')] })
    const file = await uploadedFile(server, seller, { bytes })

    const shown = await server.tollgate.handler(new Request(file.public_url))
    const content = Buffer.from(await shown.arrayBuffer())

    expect([content.byteLength, content.includes('52.5N')]).toEqual([bytes.byteLength, false])
    expect((await bytesOf(file.id))?.includes('52.5N')).toBe(true)
  })

  test('that a browser has already is not sent again', async () => {
    const { public_url } = await uploadedFile(server, seller)
    const etag = (await show(public_url)).headers.get('etag')!

    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
      expect([(await show(public_url, { 'if-none-match': tags })).status, tags]).toEqual([304, tags])
    expect((await show(public_url, { 'if-none-match': '"other"' })).status).toBe(200)
    const head = await show(public_url, {}, 'HEAD')
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', String(png.length)])
  })

  test('is shown under its new name and under the old one', async () => {
    const file = await uploadedFile(server, seller)
    server.clock.advance(minutes(1))

    const { body } = await seller.patch(`/files/${file.id}`, { name: 'new.png', version: '3' })

    expect(body).toEqual({
      ...file,
      name: 'new.png',
      version: '3',
      public_url: `http://localhost:3000/files/${file.id}/new.png`,
    })
    expect((await show(body.public_url)).status).toBe(200)
    expect((await show(file.public_url)).status).toBe(200)
    expect((await seller.patch(`/files/${file.id}`, { version: '' })).body).toEqual({ ...body, version: null })
    expect(wrongAt(await seller.patch(`/files/${file.id}`, { name: '../x' }))).toBe('422 name')
  })

  test('that is removed is gone, with its bytes', async () => {
    const file = await uploadedFile(server, seller)
    expect(await bytesOf(file.id)).toEqual(png)

    expect((await seller.delete(`/files/${file.id}`)).status).toBe(204)

    expect(await bytesOf(file.id)).toBeUndefined()
    expect((await show(file.public_url)).status).toBe(404)
    expect((await seller.delete(`/files/${file.id}`)).status).toBe(404)
    expect((await seller.patch(`/files/${file.id}`, { name: 'a' })).status).toBe(404)
    expect((await seller.get(`/files?ids=${file.id}`)).body.items).toEqual([])
  })

  test('goes with its organization, and its bytes go, too', async () => {
    const ended = await createTestMerchant(server)
    const file = await uploadedFile(server, ended)
    const kept = await uploadedFile(server, seller)
    expect(await bytesOf(file.id)).toEqual(png)

    const { organizationId } = ended
    expect((await ended.owner.post('/organization/delete', { organizationId })).status).toBe(200)

    expect([await bytesOf(file.id), await bytesOf(kept.id)]).toEqual([undefined, png])
  })

  test('may be an avatar, and is as public', async () => {
    const { public_url } = await uploadedFile(server, seller, { service: 'organization_avatar' })

    expect((await show(public_url)).status).toBe(200)
  })
})

test('a file for sale has no public address', async () => {
  const download = { service: 'downloadable', mime_type: 'image/png', name: 'book.png' }
  const file = await uploadedFile(server, seller, download)

  expect(file).not.toHaveProperty('public_url')
  expect(await bytesOf(file.id)).toEqual(png)
  expect((await show(`/files/${file.id}/book.png`)).status).toBe(404)
  expect((await show(path404)).status).toBe(404)
  expect((await show('/files/nothing/a.png')).status).toBe(404)
})

test.each([
  ['another kind', { mime_type: 'image/svg+xml' }, '422 mime_type'],
  ['a kind that is none', { mime_type: 'picture', service: 'downloadable' }, '422 mime_type'],
  ['a name that is a path', { name: 'a/b.png' }, '422 name'],
  ['a name that is a folder', { name: '..' }, '422 name'],
  ['a name over two lines', { name: 'a\r\nb' }, '422 name'],
  ['no bytes', { size: 0 }, '422 size'],
  ['too many bytes', { size: 10 * 1024 * 1024 + 1 }, '422 size upload.parts'],
  ['another service', { service: 'attachment' }, '422 service'],
  ['no parts', { upload: { parts: [] } }, '422 upload.parts'],
  [
    'parts that begin late',
    { upload: { parts: [{ number: 1, chunk_start: 1, chunk_end: 17 }] } },
    '422 upload.parts.0.chunk_start',
  ],
  [
    'parts of more than there is',
    { upload: { parts: [{ number: 1, chunk_start: 0, chunk_end: 99 }] } },
    '422 upload.parts',
  ],
  ['a checksum that is none', { checksum_sha256_base64: 'abc' }, '422 checksum_sha256_base64'],
])('a file of %s is refused', async (_, given, expected) => {
  expect(wrongAt(await seller.post('/files', announced(given)))).toBe(expected)
})

describe('a part', () => {
  const sent = async (given: Record<string, unknown> = {}) => {
    const { body } = await seller.post('/files', announced(given))
    return { id: body.id as string, url: body.upload.parts[0].url as string }
  }
  const refused = async (answer: Response) => {
    const { error } = (await answer.json()) as { error: string } // the body of a refusal
    return [answer.status, error]
  }

  test('is accepted from any origin, whatever cookies the request has', async () => {
    const { url } = await sent()
    const headers = { origin: 'https://elsewhere.example', cookie: 'session=1', 'sec-fetch-site': 'cross-site' }

    expect((await sendPart(server, url, png, headers)).status).toBe(200)
  })

  test('has as many bytes as were announced', async () => {
    const { id, url } = await sent()

    expect(await refused(await sendPart(server, url, png.subarray(1)))).toEqual([422, 'RequestValidationError'])
    expect(await refused(await sendPart(server, url, Buffer.concat([png, png])))).toEqual([
      413,
      'RequestBodyIsTooLarge',
    ])
    expect(await refused(await sendPart(server, url, null))).toEqual([422, 'RequestValidationError'])
    expect(await refused(await sendPart(server, url, ''))).toEqual([422, 'RequestValidationError'])
    expect((await sendPart(server, url, png)).status).toBe(200)
    expect((await complete(id, { id, path: 'elsewhere', parts: [{ number: 1, checksum_etag: 'x' }] })).status).toBe(422)
  })

  test('is not read on when it is too long', async () => {
    const { url } = await sent()
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1
        controller.enqueue(new Uint8Array(1024))
      },
    })

    expect(await refused(await sendPart(server, url, endless))).toEqual([413, 'RequestBodyIsTooLarge'])
    expect(pulled).toBeLessThan(10)
  })

  test('is sent once at a time: a second copy of it would take uncounted room', async () => {
    const { url } = await sent()
    const isRead = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>()
    const slow = new ReadableStream<Uint8Array>({ pull: isRead.resolve }, { highWaterMark: 0 })
    const first = sendPart(server, url, slow)
    const controller = await isRead.promise

    const second = await sendPart(server, url, png)
    controller.enqueue(png)
    controller.close()

    expect([second.headers.get('retry-after'), await refused(second)]).toEqual(['5', [429, 'TooManyRequests']])
    expect((await first).status).toBe(200)
    expect((await sendPart(server, url, png)).status).toBe(200)
  })

  test('that breaks off is its sender’s fault', async () => {
    const { url } = await sent()
    const broken = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error('connection reset')),
    })

    expect(await refused(await sendPart(server, url, broken))).toEqual([400, 'MalformedRequest'])
  })

  test('has the checksum that was announced', async () => {
    const part = { number: 1, chunk_start: 0, chunk_end: png.length, checksum_sha256_base64: sha256Of(png, 'base64') }
    const { url } = await sent({ upload: { parts: [part] } })
    const other = Buffer.from(png)
    other[9] = 0

    expect(await refused(await sendPart(server, url, other))).toEqual([422, 'RequestValidationError'])
    expect((await sendPart(server, url, png)).status).toBe(200)
  })

  test('is sent within a quarter of an hour, and to an address that we gave', async () => {
    const { id, url } = await sent()
    const secret = new URL(url).pathname.split('/').at(-1)!
    const altered = `${secret.slice(0, -4)}${secret.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`
    const { ctx } = server.tollgate.internals
    const address = (text: string) => `http://localhost:3000/v1/files/parts/${text}`
    const other = ctx.secrets.seal(`${id} 1 ${ctx.clock.now().getTime() + 1000}`, 'another purpose')

    for (const text of [altered, other, 'nothing', 'a.b'])
      expect([text, ...(await refused(await sendPart(server, address(text), png)))]).toEqual([
        text,
        404,
        'ResourceNotFound',
      ])
    expect((await sendPart(server, address('x'.repeat(513)), png)).status).toBe(422)
    server.clock.advance(minutes(15) - seconds(1))
    expect((await sendPart(server, url, png)).status).toBe(200)
    server.clock.advance(seconds(1))
    expect(await refused(await sendPart(server, url, png))).toEqual([404, 'ResourceNotFound'])
  })

  test('of a file that was removed is not taken', async () => {
    const { id, url } = await sent()
    await seller.delete(`/files/${id}`)

    expect((await sendPart(server, url, png)).status).toBe(404)
  })

  test('leaves nothing of its address in the log', async () => {
    const { url } = await sent()
    await sendPart(server, url, png)

    expect(server.logs.join()).not.toContain(new URL(url).pathname.split('/').at(-1))
  })
})

describe('a file is not complete', () => {
  test('while a part is missing', async () => {
    const { body } = await seller.post('/files', announced({ bytes: long, partSize: 60_000 }))
    const [first, second] = body.upload.parts
    const part = async ({ number, url, chunk_start, chunk_end }: typeof first) => {
      const sent = await sendPart(server, url, Buffer.from(long.subarray(chunk_start, chunk_end)))
      return { number, checksum_etag: sent.headers.get('etag') }
    }
    const one = await part(first)
    const completion = { id: body.id, path: body.path, parts: [one, { number: 2, checksum_etag: 'any' }] }

    expect(wrongAt(await complete(body.id, completion))).toBe('422 parts')
    const parts = [await part(second), one]
    expect((await complete(body.id, { ...completion, parts })).status).toBe(200)
    expect(await bytesOf(body.id)).toEqual(long)
  })

  test('as long as it differs from what it should be', async () => {
    const { file, completion } = await sentFile(server, seller)
    const [part] = completion.parts
    const refused = async (given: object) => wrongAt(await complete(file.id, { ...completion, ...given }))

    expect(await refused({ id: 'other' })).toBe('422 id')
    expect(await refused({ path: '../other' })).toBe('422 path')
    expect(await refused({ parts: [part, part] })).toBe('422 parts parts')
    expect(await refused({ parts: [{ ...part, number: 2 }] })).toBe('422 parts')
    expect(await refused({ parts: [part, { ...part, number: 2 }] })).toBe('422 parts')
    expect(await refused({ parts: [{ ...part, checksum_etag: 'other' }] })).toBe('422 parts.0.checksum_etag')
    const checksum_sha256_base64 = sha256Of(long, 'base64')
    expect(await refused({ parts: [{ ...part, checksum_sha256_base64 }] })).toBe('422 parts.0.checksum_sha256_base64')
    expect(await bytesOf(file.id)).toBeUndefined()
    expect((await show(`/files/${file.id}/picture.png`)).status).toBe(404)
    expect((await complete(file.id, completion)).status).toBe(200)
  })

  test('when it has another checksum than was announced', async () => {
    const checksum_sha256_base64 = sha256Of(long, 'base64')
    const { file, completion } = await sentFile(server, seller, { checksum_sha256_base64 })

    expect(wrongAt(await complete(file.id, completion))).toBe('422 parts')
  })

  test('when it only claims to be a picture', async () => {
    const bytes = Buffer.from('<script>alert(1)</script>')
    for (const [mime_type, service] of [
      ['image/png', 'product_media'],
      ['image/webp', 'organization_avatar'],
    ]) {
      const { file, completion } = await sentFile(server, seller, { bytes, mime_type, service })
      expect(wrongAt(await complete(file.id, completion))).toBe('422 parts')
    }
    const { file, completion } = await sentFile(server, seller, { bytes, service: 'downloadable' })
    expect((await complete(file.id, completion)).status).toBe(200)
  })
})

test('a file is completed once, by several at the same moment', async () => {
  const { file, completion } = await sentFile(server, seller, { bytes: long, partSize: 30_000 })

  const answers = await Promise.all([1, 2, 3, 4].map(() => complete(file.id, completion)))

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(await bytesOf(file.id)).toEqual(long)
})

test('a file whose parts never all come is given up after a day', async () => {
  await using other = await createTestServer()
  const merchant = await createTestMerchant(other)
  const { ctx } = other.tollgate.internals
  const { file, completion } = await sentFile(other, merchant)
  const whole = await uploadedFile(other, merchant)

  other.clock.advance(hours(24) - seconds(1))
  await ctx.jobs.runDue()
  expect((await merchant.patch(`/files/${file.id}`, { version: '1' })).status).toBe(200)
  other.clock.advance(seconds(1))
  await ctx.jobs.runDue()

  expect((await merchant.post(`/files/${file.id}/uploaded`, completion)).status).toBe(404)
  expect((await merchant.patch(`/files/${file.id}`, { version: '1' })).status).toBe(404)
  expect((await merchant.get(`/files?ids=${whole.id}`)).body.items).toEqual([whole])
  expect(await ctx.files.open(whole.id)).toBeDefined()
})

test('only so many files are announced and not sent, also at the same moment', async () => {
  const merchant = await createTestMerchant(server)
  for (let count = 0; count < 95; count += 1) expect((await merchant.post('/files', announced())).status).toBe(201)

  const answers = await Promise.all(Array.from({ length: 10 }, () => merchant.post('/files', announced())))

  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
  expect(wrongAt(await merchant.post('/files', announced()))).toBe('422 upload')
})

test('the files of an organization have only so much room, announced ones included, until one is removed', async () => {
  const files = { directory: 'unused', roomPerOrganization: png.length * 2 + 1 }
  await using own = await createTestServer({ billing: { files } })
  const merchant = await createTestMerchant(own)
  const other = await createTestMerchant(own)
  const { file } = await sentFile(own, merchant)
  expect((await merchant.post('/files', announced())).status).toBe(201)

  const refused = await merchant.post('/files', announced())

  expect(wrongAt(refused)).toBe('422 size')
  expect(refused.body.detail[0].msg).toBe('Only 1 bytes are left.')
  expect((await other.post('/files', announced())).status).toBe(201)
  await merchant.delete(`/files/${file.id}`)
  expect((await merchant.post('/files', announced())).status).toBe(201)
})

test('files are listed newest first, and only those that are there', async () => {
  const merchant = await createTestMerchant(server)
  const first = await uploadedFile(server, merchant)
  server.clock.advance(minutes(1))
  const second = await uploadedFile(server, merchant, { service: 'downloadable' })
  await sentFile(server, merchant)

  const items = async (query: string) => (await merchant.get(`/files/?${query}`)).body.items

  expect(await items('')).toEqual([second, first])
  expect(await items(`ids=${first.id}`)).toEqual([first])
  expect(await items('sorting=created_at&limit=1')).toEqual([first])
})

test('public addresses move with the installation', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'tollgate-moved-'))
  const started = (baseURL: string) => createTestServer({ baseURL }, { databaseUrl: `sqlite:${directory}/data.db` })
  const before = await started('http://old.example:3000')
  const merchant = await createTestMerchant(before)
  const file = await uploadedFile(before, merchant)
  await before[Symbol.asyncDispose]()

  const after = await started('https://new.example')
  const headers = { authorization: `Bearer ${merchant.token}` }
  const { body } = await after.visitor().request('GET', `/v1/files?ids=${file.id}`, { headers })

  expect(file.public_url).toBe(`http://old.example:3000/files/${file.id}/picture.png`)
  expect(body.items).toEqual([{ ...file, public_url: `https://new.example/files/${file.id}/picture.png` }])
  await after[Symbol.asyncDispose]()
  await rm(directory, { recursive: true })
})

describe('the store on a disk', () => {
  const id = '00000000-0000-4000-8000-000000000000'
  const bytes = async function* (...chunks: string[]) {
    for (const chunk of chunks) yield Buffer.from(chunk)
  }
  const anything = { limit: 100, check: () => {} }
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'tollgate-store-'))
  })
  afterAll(() => rm(directory, { recursive: true }))

  test('leaves nothing of a refused or aborted upload', async () => {
    const store = createDiskStore(directory)
    const left = async () => (await readdir(directory, { recursive: true })).filter((name) => /part|whole/.test(name))
    async function* broken() {
      yield Buffer.from('abc')
      throw new Error('broken')
    }

    await expect(store.putPart(id, 1, bytes('abcd'), { ...anything, limit: 3 })).rejects.toThrow('too large')
    await expect(store.putPart(id, 1, broken(), anything)).rejects.toThrow('broken')
    const check = () => {
      throw new Error('refused')
    }
    await expect(store.putPart(id, 1, bytes('abc'), { limit: 3, check })).rejects.toThrow('refused')
    expect(await left()).toEqual([])
    await store.putPart(id, 1, bytes('a', 'bc'), anything)
    await expect(store.join(id, 1, check)).rejects.toThrow('refused')
    await expect(store.join(id, 2, () => {})).rejects.toThrow('a part has not been uploaded')
    expect(await left()).toEqual([`00/${id}/part-1`])
  })

  test('is for its user alone', async () => {
    const store = createDiskStore(path.join(directory, 'new'))
    await store.putPart(id, 1, bytes('a'), anything)

    for (const name of [`new/00/${id}`, `new/00/${id}/part-1`])
      expect((await stat(path.join(directory, name))).mode & 0o077).toBe(0)
  })

  test('takes no other names than its ids, and ignores missing ones', async () => {
    const store = createDiskStore(directory)

    await expect(store.open('../etc/passwd')).rejects.toThrow('not a file id')
    await store.remove('11111111-0000-4000-8000-000000000000')
    await store.removeParts('11111111-0000-4000-8000-000000000000')
    await store.remove(id)
    expect(existsSync(path.join(directory, '00', id))).toBe(false)
    expect(await store.open(id)).toBeUndefined()
  })
})

test('while billing is off a removed file waits for its directory', async () => {
  await using without = await createTestServer({ billing: false })
  const { ctx } = without.tollgate.internals
  const now = without.clock.now()
  await ctx.transaction((tx) => enqueue(tx, now, { kind: 'remove-file', payload: newUuid() }))

  await ctx.jobs.runDue()

  const jobs = await ctx.db.selectFrom('job').select('runAt').where('kind', '=', 'remove-file').execute()
  expect(jobs).toEqual([{ runAt: new Date(now.getTime() + days(1)) }])
})
