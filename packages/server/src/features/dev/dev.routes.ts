import { Hono } from 'hono'
import { z } from 'zod'
import { addDuration, after, seconds } from '../../foundation/clock.ts'
import { isLoopback } from '../../foundation/config/config.ts'
import type { Context } from '../../foundation/context.ts'
import type { Id } from '../../foundation/db/database.ts'
import { TollgateError } from '../../foundation/error.ts'
import { jsonResponse } from '../../foundation/http/answer.ts'
import { readJson } from '../../foundation/http/body.ts'
import { assertFormOrigin, assertOrigin } from '../../foundation/http/origin.ts'
import type { RequestEnv } from '../../foundation/http/request.ts'
import { randomKey } from '../../foundation/ids.ts'
import {
  extractLinks,
  type InboxMessage,
  inboxContentSecurityPolicy,
  inboxScript,
  renderInbox,
} from '../../foundation/mail/inbox.page.ts'
import { loadWebBuild } from '../../pages/build.ts'
import { attachDocuments } from '../billing/documents/document.service.ts'
import { emptyInbox, extendSessions, findInboxMessage, listInbox } from './dev.repository.ts'
import { moveClock, nextMoment } from './move-clock.ts'

/**
 * The inbox and the clock, in development mode only: in production these addresses answer 404. So they do for a
 * foreign Host header: an attacker's domain could point here and have a developer's browser read the mails.
 */
export function devRoutes(ctx: Context): Hono<RequestEnv> {
  const routes = new Hono<RequestEnv>()
  const shown = createShown(ctx)
  const move = oneAfterTheOther(async (body: unknown) => {
    const { target, keepsSessions } = await readMove(ctx, body)
    // The clock never goes back: what has expired stays expired.
    if (target < ctx.clock.now()) throw new TollgateError('CLOCK_MOVES_FORWARD_ONLY')
    if (keepsSessions) await keepSessions(ctx, target)
    if (!(await moveClock(ctx, target))) throw new TollgateError('CLOCK_MOVES_FORWARD_ONLY')
  })
  routes.use('*', async (c, next) => {
    if (!isOwnHost(ctx, c.env.host ?? new URL(c.req.url).host)) throw new TollgateError('NOT_FOUND')
    await next()
  })

  routes.get('/inbox/messages', async (c) => {
    const messages = await listInbox(ctx.db, c.req.query('to')?.toLowerCase())
    return jsonResponse(await Promise.all(messages.map(shown)))
  })
  routes.delete('/inbox/messages', async (c) => {
    assertOrigin(c.env.origins, c.req.raw.headers)
    await ctx.transaction(emptyInbox)
    return jsonResponse({ status: true })
  })

  routes.get('/inbox/attachments/:id/:index{\\d}', (c) => inboxAttachment(ctx, c.req.param('id'), c.req.param('index')))
  routes.get('/inbox', (c) => inboxPage(ctx, shown, c.req.query('id')))
  routes.get(
    '/inbox.js',
    () => new Response(inboxScript, { headers: { 'content-type': 'text/javascript; charset=utf-8' } }),
  )
  // A plain form cannot send DELETE.
  routes.post('/inbox/clear', async (c) => {
    assertFormOrigin(c.env.origins, c.req.raw.headers)
    await ctx.transaction(emptyInbox)
    return new Response(null, { status: 303, headers: { location: '/dev/inbox' } })
  })

  routes.get('/clock', () => jsonResponse({ now: ctx.clock.now().toISOString() }))
  routes.post('/clock', async (c) => {
    assertOrigin(c.env.origins, c.req.raw.headers)
    await move(await readJson(c.req.raw))
    return jsonResponse({ now: ctx.clock.now().toISOString() })
  })
  return routes
}

/** Runs calls in their order, each after the end of the one before. */
function oneAfterTheOther<A, R>(work: (argument: A) => Promise<R>): (argument: A) => Promise<R> {
  let last: Promise<unknown> = Promise.resolve()
  return (argument) => {
    const next = last.then(() => work(argument))
    last = next.catch(() => undefined)
    return next
  }
}

/** Whether a Host header names this machine or the configured server; the port does not matter. */
function isOwnHost({ config }: Context, host: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  return isLoopback(hostname) || hostname === config.baseURL.hostname
}

/** Whether sessions that have not expired stay signed in at the new time. */
const keepsSessions = z.literal(true).optional()
const clockBody = z.union([
  z.strictObject({ now: z.iso.datetime({ offset: true }), keepSessions: keepsSessions }),
  z.strictObject({ advance: z.string().max(100), keepSessions: keepsSessions }),
  z.strictObject({ next: z.literal(true), keepSessions: keepsSessions }),
])

/**
 * Parses `{ now: ISO }`, `{ advance: ISO 8601 duration }`, or `{ next: true }`, which is when something falls due next:
 * now, if nothing does. Throws VALIDATION_ERROR for other members, an invalid duration, or a time past the year 9999.
 */
async function readMove(ctx: Context, body: unknown): Promise<{ target: Date; keepsSessions: boolean }> {
  const parsed = clockBody.safeParse(body)
  if (!parsed.success) throw new TollgateError('VALIDATION_ERROR', { cause: parsed.error })
  const { data } = parsed
  const now = ctx.clock.now()
  const target =
    'now' in data
      ? new Date(data.now)
      : 'advance' in data
        ? addDuration(now, data.advance)
        : ((await nextMoment(ctx, now, endOfTime)) ?? now)
  if (!target) throw new TollgateError('VALIDATION_ERROR')
  return { target, keepsSessions: data.keepSessions === true }
}

const endOfTime = new Date('9999-12-31T00:00:00.000Z')

/** Keeps who is signed in signed in at a later time, as if they had come back every day. */
const keepSessions = ({ config, clock, transaction }: Context, target: Date) =>
  transaction((tx) => extendSessions(tx, after(target, seconds(config.session.expiresIn)), clock.now()))

type InboxRow = Awaited<ReturnType<typeof listInbox>>[number]

type Shown = (row: InboxRow) => Promise<InboxMessage>
type DrawnFile = { readonly name: string; readonly size: number }

/** The most rendered documents to cache, by their entry in the list; documents never change. */
const mostRemembered = 1000

/** Mails with their attachments, as the page and its JSON show them. */
function createShown(ctx: Context): Shown {
  const drawn = new Map<string, DrawnFile>()
  const fileOf = async (documentId: Id<'document'>): Promise<DrawnFile | undefined> => {
    const known = drawn.get(documentId)
    if (known) return known
    const [file] = await attachDocuments(ctx, [documentId])
    if (!file) return undefined
    if (drawn.size >= mostRemembered) drawn.clear()
    const made = { name: file.name, size: file.content.length }
    drawn.set(documentId, made)
    return made
  }
  return async (row) => {
    const files = await Promise.all(documentIdsOf(row).map(fileOf))
    const at = `/dev/inbox/attachments/${encodeURIComponent(row.id)}`
    return {
      id: row.id,
      to: row.recipient,
      from: row.sender,
      subject: row.subject,
      text: row.textBody,
      html: row.htmlBody,
      links: extractLinks(row.textBody, row.htmlBody),
      attachments: files.flatMap((file, index) => (file ? [{ ...file, url: `${at}/${index}` }] : [])),
      createdAt: row.createdAt,
    }
  }
}

/** The documents attached to a mail. */
const documentIdsOf = ({ attachments }: InboxRow): readonly string[] => attachments ?? []

async function inboxPage(ctx: Context, shown: Shown, id: string | undefined): Promise<Response> {
  const messages = await Promise.all((await listInbox(ctx.db)).map(shown))
  const selected = id === undefined ? undefined : await findInboxMessage(ctx.db, id)
  const nonce = randomKey(16).toString('base64')
  return new Response(
    renderInbox(messages, selected && (await shown(selected)), nonce, loadWebBuild()?.fonts('en')[0]),
    {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': inboxContentSecurityPolicy(nonce),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
    },
  )
}

/** Renders an attachment again from the same document, so the bytes are identical. */
async function inboxAttachment(ctx: Context, id: string, index: string): Promise<Response> {
  const message = await findInboxMessage(ctx.db, id)
  const documentId = message && documentIdsOf(message)[Number(index)]
  const [file] = documentId === undefined ? [] : await attachDocuments(ctx, [documentId])
  if (!file) throw new TollgateError('NOT_FOUND')
  return new Response(file.content, {
    headers: {
      'content-type': file.type,
      'content-disposition': `inline; filename="${file.name}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}
