import { permissionOf } from '@tollgate/contract/billing'
import { billingObjects } from '@tollgate/contract/events'
import type { PageData } from '@tollgate/contract/pages'
import { organizationMaySell } from '../features/billing/merchant/may-sell.service.ts'
import { permissionsOf } from '../features/organization/membership.ts'
import { minutes, seconds } from '../foundation/clock.ts'
import { TollgateError } from '../foundation/error.ts'
import { namesOf } from '../foundation/proof/proven.ts'
import { membershipIn, requireOrganization } from './organization-pages.ts'
import { type PageMakers, whileOn } from './page-data.ts'
import type { Visit } from './visit.ts'

/** The stream of changes of a selling organization, for its dashboard. */
export const liveRoutes: PageMakers = whileOn('billing', { '/dashboard/:slug/live': live })

/**
 * Milliseconds between signs of life. Most proxies close a connection that is silent for a minute. At each sign the
 * viewer's right is checked again.
 */
const beatEvery = seconds(20)
/** Milliseconds that a browser waits before it connects again. */
const reconnectAfter = seconds(5)
/** The same, while too many are connected. */
const returnWhenFullAfter = minutes(1)
/** The most unsent messages: a browser that reads nothing more is let go. */
const mostUnsent = 50

/**
 * Server-sent events: `hello` with the objects that the viewer may read, `changed` with those of them that have new events,
 * and `beat`. They name kinds of objects and no contents, so the dashboard asks for those by its usual calls. It asks
 * after each `hello`, too, and thereby misses nothing while it was not connected.
 */
async function live(visit: Visit): Promise<PageData | Response> {
  const session = await visit.session()
  if (!session) throw new TollgateError('UNAUTHORIZED')
  const { id } = await requireOrganization(visit)
  if (!(await organizationMaySell(visit.ctx, id))) throw new TollgateError('NOT_FOUND')
  const readable = await readableObjects(visit, id)
  if (readable.length === 0) throw new TollgateError('NOT_FOUND')
  return visit.answer(
    new Response(streamOf(visit, session.user.id, id, readable), {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        // Asks nginx not to collect the messages.
        'x-accel-buffering': 'no',
      },
    }),
  )
}

/** The objects of events whose list the viewer may read. */
async function readableObjects(visit: Visit, organizationId: string): Promise<readonly string[]> {
  const permissions: Readonly<Partial<Record<string, readonly string[]>>> = permissionsOf(
    await membershipIn(visit, organizationId),
  )
  return namesOf(billingObjects).filter((object) => {
    const needed = permissionOf(billingObjects[object].scope)
    return needed !== undefined && permissions[needed.resource]?.includes(needed.action)
  })
}

function streamOf(
  visit: Visit,
  userId: string,
  organizationId: string,
  readable: readonly string[],
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let leave: (() => void) | undefined
  let beat: NodeJS.Timeout | undefined
  let isOver = false
  const end = () => {
    isOver = true
    clearInterval(beat)
    leave?.()
  }

  function begin(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const close = () => {
      if (isOver) return
      end()
      controller.close()
    }
    const send = (event: string, data: unknown) => {
      if ((controller.desiredSize ?? 0) < -mostUnsent) return close()
      controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
    }
    leave = visit.ctx.live.follow(organizationId, {
      userId,
      changed: (objects) => {
        const shown = objects.filter((object) => readable.includes(object))
        if (shown.length > 0) send('changed', shown)
      },
      ended: close,
    })
    controller.enqueue(encoder.encode(`retry: ${leave ? reconnectAfter : returnWhenFullAfter}\n\n`))
    if (!leave) {
      close()
      return
    }
    send('hello', readable)
    beat = setInterval(async () => {
      const now = await readableObjects(visit, organizationId).catch(() => [])
      if (isOver) return
      // With other rights, the browser connects again and learns them.
      if (now.join() === readable.join()) send('beat', null)
      else close()
    }, beatEvery).unref()
  }

  // Begins with the first read: nothing reads the body of an answer to HEAD.
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (!beat && !leave) begin(controller)
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}
