import { scopes } from '@tollgate/contract/billing'
import { errorCode, errors } from '@tollgate/contract/calls'
import { billingEvents, webhookEventTypes, webhookRow } from '@tollgate/contract/events'
import { escapeHtml } from '../../foundation/html.ts'
import type { Reference } from './reference.ts'
import { marked } from './schema.ts'

/** A page of prose. Its HTML is ours; values are escaped where they are written. */
export type Guide = { readonly title: string; readonly html: (reference: Reference) => string }

const code = (text: string) => `<code>${escapeHtml(text)}</code>`
const block = (text: string) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`

/** The guides by their address below `/docs/`, in reading order. The first one is the start page. */
export const guides: Readonly<Record<string, Guide>> = {
  '': {
    title: 'Start',
    html: ({ origin, calls, groups }) => `
<p>Every call of this server has a page of its own: what it takes, what it answers, how it refuses, and the request in ${code('curl')}, in JavaScript and in the Polar SDK. You can send each call from its page.</p>
<p>${calls.size} calls are served at ${code(origin)}. ${code('/openapi.json')} has the same as data: <a href="/openapi.json">openapi.json</a>.</p>
${block(`curl '${origin}/api/health/ready'`)}
<h2>Accounts and organizations</h2>
${groupLinks(groups.auth)}
${groups.billing.length > 0 ? `<h2>Billing</h2>${groupLinks(groups.billing)}` : ''}`,
  },
  authentication: {
    title: 'Authentication',
    html: ({ origin, groups }) => `
<h2>Sessions</h2>
<p>Accounts and organizations are called with a session. <a href="/docs/signInEmail">${code('signInEmail')}</a> sets it as a cookie, and the browser sends the cookie along. A call that changes something needs an ${code('Origin')} header that the server trusts; browsers send it.</p>
${block(`curl -c cookies.txt '${origin}/api/auth/sign-in/email' \\\n  -H 'Origin: ${origin}' -H 'Content-Type: application/json' \\\n  -d '{"email": "ada@example.com", "password": "correct horse battery"}'\n\ncurl -b cookies.txt '${origin}/api/auth/get-session'`)}
${
  groups.billing.length > 0
    ? `<h2>Access tokens</h2>
<p>Programs call billing with an organization’s access token. An owner creates one in the dashboard, under <strong>Tokens</strong>. The server shows it once. A token acts for its organization within its scopes; a ${code(':write')} scope includes ${code(':read')}.</p>
${block(`curl '${origin}/v1/products' -H "Authorization: Bearer $TOLLGATE_TOKEN"`)}
<p>A signed-in member can make the same calls with the session. The organization is ${code('organization_id')} in the query, or the active one.</p>
<h2>Scopes</h2>
<p>${scopes.map(code).join(' ')}</p>`
    : ''
}`,
  },
  errors: {
    title: 'Errors',
    html: () => `
<p>A refusal has a status of 400 or above and a JSON body with a code. Codes are stable, texts are for people. Billing answers ${code('{ "error": "…", "detail": "…" }')}; with 422, ${code('detail')} lists every issue. Accounts and organizations answer ${code('{ "code": "…", "message": "…" }')}.</p>
<p>Every answer has an ${code('x-request-id')} header. The server’s log has the same id.</p>
<dl class="members">${Object.entries(errors)
      .map(([name, { status, message }]) => {
        const shown = errorCode(name as keyof typeof errors) // a name of the table
        return `<dt><code>${escapeHtml(shown)}</code> <span class="type">${status}</span></dt><dd><p>${escapeHtml(message)}</p></dd>`
      })
      .join('')}</dl>`,
  },
  lists: {
    title: 'Lists',
    html: ({ origin }) => `
<p>Lists of billing take ${code('page')} and ${code('limit')} (10, at most 100), and answer ${code('items')} with ${code('pagination')}.</p>
<p>With ${code('cursor')} the next page is equally fast at any depth. Send it empty for the first page, then the ${code('next_cursor')} of the page before. Such pages have no total.</p>
${block(`curl '${origin}/v1/orders?limit=50&cursor=' -H "Authorization: Bearer $TOLLGATE_TOKEN"`)}
<p>${code('sorting')} can be repeated; a ${code('-')} before a field reverses its order. A repeated filter matches any of its values. ${code('metadata[key]=value')} filters by metadata.</p>`,
  },
  idempotency: {
    title: 'Idempotency',
    html: ({ origin }) => `
<p>Send an ${code('Idempotency-Key')} with a POST of billing, so that a repeated request runs once. For a day, a repeat with the same key gets the first answer. Another request with the same key is refused with 409.</p>
${block(`curl -X POST '${origin}/v1/refunds' \\\n  -H "Authorization: Bearer $TOLLGATE_TOKEN" \\\n  -H 'Idempotency-Key: refund-of-order-1042' \\\n  -H 'Content-Type: application/json' -d '{…}'`)}`,
  },
  webhooks: {
    title: 'Webhooks',
    html: () => `
<p>An endpoint receives the events that it subscribes to as signed POST requests (Standard Webhooks). The server sends again, for days, until the endpoint answers 2xx. Events of one object arrive in order.</p>
<p>Check the signature before you trust a body: ${code('webhook-id')}, ${code('webhook-timestamp')} and ${code('webhook-signature')} are in the headers.</p>
${block(`import { validateEvent } from '@polar-sh/sdk/webhooks'\n\nconst event = validateEvent(body, headers, secret)`)}
<h2>Events</h2>
<dl class="members">${webhookEventTypes
      .map((type) => {
        const row = webhookRow(type)
        const docs = row && 'docs' in row ? String(row.docs) : ''
        const kind = type in billingEvents ? 'Billing' : 'Accounts and organizations'
        return `<dt id="${type}"><code>${type}</code> <span class="type">${kind}</span></dt><dd><p>${marked(docs)}</p></dd>`
      })
      .join('')}</dl>`,
  },
}

const groupLinks = (groups: Reference['groups']['auth']): string =>
  `<ul class="groups">${groups
    .map(
      ({ name, calls: [first, ...others] }) =>
        `<li><a href="/docs/${first?.id}">${escapeHtml(name)}</a> <span class="type">${others.length + 1}</span></li>`,
    )
    .join('')}</ul>`
