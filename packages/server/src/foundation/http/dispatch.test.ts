import type { AnyCall } from '@tollgate/contract/calls'
import type { Endpoint } from '@tollgate/contract/schemas'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createTestServer } from '../../testing.ts'
import { TollgateError } from '../error.ts'
import { errorAnswer } from './answer.ts'
import type { Api } from './api.ts'
import { dispatch } from './dispatch.ts'
import { refusing } from './input.ts'
import { openApi } from './openapi.ts'
import { createOrigins } from './origin.ts'
import { fromFetch } from './request.ts'
import { serveApi } from './serve-api.ts'
import { snakeCase } from './spelling.ts'

/** The server's description and database do not matter here. */
const inMemory = { databaseUrl: 'sqlite::memory:' }

type DoorCall = AnyCall & { readonly auth: 'key' | 'none'; readonly night?: true }

const calls = {
  openDoor: { method: 'POST', path: '/doors/:doorId/open', auth: 'key', status: 201 },
  closeDoor: { method: 'POST', path: '/doors/close', auth: 'none', limit: 'guess' },
  findDoor: { method: 'GET', path: '/doors/find', auth: 'none', night: true },
} as const satisfies Record<string, DoorCall>

const schemas = {
  openDoor: {
    summary: 'Opens a door.',
    params: z.object({ doorId: z.string() }),
    body: z.object({ forHowLong: z.int() }),
    output: z.object({ openedBy: z.string(), doorId: z.string(), forHowLong: z.int() }),
    errors: ['UNAUTHORIZED', 'VALIDATION_ERROR'],
  },
  closeDoor: { summary: 'Closes all doors.', output: z.object({ isClosed: z.boolean() }), errors: [] },
  findDoor: { summary: 'Finds a door.', output: z.object({}), errors: [] },
} as const satisfies Record<keyof typeof calls, Endpoint>

/** An API that only this test has: one value defines it. */
const doors: Api<DoorCall, { holder: string | undefined }, typeof schemas> = {
  name: 'doors',
  basePath: () => '/house',
  calls,
  schemas,
  handlers: {
    openDoor: ({
      holder,
      params,
      body,
    }: {
      holder: string
      params: { doorId: string }
      body: { forHowLong: number }
    }) => ({
      openedBy: holder,
      ...params,
      ...body,
    }),
    closeDoor: () => {
      throw new TollgateError('USER_NOT_FOUND')
    },
    findDoor: () => ({}),
  },
  isServed: (_, { night }) => !night,
  unknown: 'NOT_FOUND',
  countedBelow: '/house',
  spelling: snakeCase,
  inputFirst: false,
  parse: refusing({ body: 'VALIDATION_ERROR', query: 'INVALID_QUERY', params: 'NOT_FOUND' }),
  authenticate: async (_, { call, caller }) => {
    const holder = caller.headers.get('x-key') ?? undefined
    if (call.auth === 'key' && holder === undefined) throw new TollgateError('UNAUTHORIZED')
    return { holder }
  },
  refuse: errorAnswer,
  description: {
    about: 'Doors.',
    shapes: {},
    tag: () => 'Doors',
    security: ({ auth }) => (auth === 'key' ? [{ key: [] }] : undefined),
    securitySchemes: () => ({ key: { type: 'apiKey', in: 'header', name: 'x-key' } }),
    refusalShapes: {},
    refusalShape: () => 'Error',
    refusalCode: (code) => code,
  },
}

test('an API is added by one value: its calls run, over HTTP and from server code', async () => {
  await using server = await createTestServer({}, inMemory)
  const { ctx } = server.tollgate.internals
  const served = serveApi(ctx, doors)
  const scope = { id: '', remoteAddress: '127.0.0.1', origins: createOrigins(ctx.config) }
  const send = (path: string, init?: RequestInit) =>
    served.answer(fromFetch(new Request(`${server.baseURL}${path}`, init)), path, scope)
  const asked = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-key': 'ada' },
    body: '{"for_how_long":5}',
  }

  const answer = await send('/house/doors/front/open', asked)

  expect([answer.status, answer.body]).toEqual([201, '{"opened_by":"ada","door_id":"front","for_how_long":5}'])
  const input = { params: { doorId: 'back' }, body: { forHowLong: 1 }, headers: { 'x-key': 'eve' } }
  const { answer: ofCode } = await dispatch(ctx, doors, 'openDoor', input)
  expect(ofCode).toEqual({ openedBy: 'eve', doorId: 'back', forHowLong: 1 })
  // This API authenticates before it checks input, and a row decides what is served.
  const wrong = { ...asked, headers: { 'content-type': 'application/json' }, body: '{}' }
  await expect(send('/house/doors/front/open', wrong)).rejects.toMatchObject({ error: 'UNAUTHORIZED' })
  await expect(send('/house/doors/front/open', { ...asked, body: '{}' })).rejects.toMatchObject({
    error: 'VALIDATION_ERROR',
  })
  await expect(send('/house/doors/find')).rejects.toMatchObject({ error: 'NOT_FOUND' })
  expect([served.takes('GET', '/house/doors'), served.takes('GET', '/houses')]).toEqual([true, false])
})

test('a refusal that an endpoint does not list is a fault', async () => {
  await using server = await createTestServer({}, inMemory)

  const closed = dispatch(server.tollgate.internals.ctx, doors, 'closeDoor', {})

  await expect(closed).rejects.toThrow('closeDoor may not answer USER_NOT_FOUND')
})

test('its rows count on the limits that they name', async () => {
  await using server = await createTestServer({ rateLimit: { enabled: true } }, inMemory)
  const { ctx } = server.tollgate.internals
  const close = () =>
    dispatch(ctx, doors, 'closeDoor', { remoteAddress: '192.0.2.1' }, createOrigins(ctx.config)).catch((error) => error)

  const refused = [await close(), await close(), await close(), await close()]

  expect(refused.map(({ error }) => error)).toEqual([undefined, undefined, undefined, 'TOO_MANY_REQUESTS'])
})

test('it is described beside the others, in the spelling of its wire', async () => {
  await using server = await createTestServer({}, inMemory)

  const { paths, components } = openApi(server.tollgate.internals.ctx.config, [doors])

  expect(Object.keys(paths)).toEqual(['/house/doors/{door_id}/open', '/house/doors/close'])
  expect(paths['/house/doors/{door_id}/open']?.post).toMatchObject({
    operationId: 'openDoor',
    security: [{ key: [] }],
    requestBody: { content: { 'application/json': { schema: { required: ['for_how_long'] } } } },
  })
  expect(components.securitySchemes).toHaveProperty('key')
})
