import type { WebhookFormat } from '@tollgate/contract/billing'
import { moneyText } from '../../money-text.ts'

/** What a message is made of: an event's type and moment, and its object as JSON. */
export type Told = { readonly type: string; readonly createdAt: Date; readonly payload: string }

/** Where what is told of can be looked at: the organization's pages in the dashboard. */
type Place = { readonly dashboard: string }

/** The body of a message; the same bytes whenever it is made of the same event (WH-4). */
export function bodyOf(format: WebhookFormat, told: Told, place: Place): Buffer {
  if (format === 'raw') return Buffer.from(rawBody(told))
  const words = wordsOf(told, place)
  const message = format === 'slack' ? slackMessage(words) : discordMessage(words)
  return Buffer.from(JSON.stringify(message))
}

/** The body of the raw format (WH-1). */
export const rawBody = ({ type, createdAt, payload }: Told): string =>
  `{"type":${JSON.stringify(type)},"timestamp":"${createdAt.toISOString()}","data":${payload}}`

/** A line for people: what happened, the particulars, and where to look. */
type Words = { readonly title: string; readonly details: readonly string[]; readonly link: string }

// biome-ignore lint/suspicious/noExplicitAny: a payload may be of any object; what is read from it is checked
type Payload = any

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

function wordsOf({ type, payload }: Told, { dashboard }: Place): Words {
  const data: Payload = JSON.parse(payload)
  const [subject = '', happened = ''] = type.split('.')
  const title = `${subject.charAt(0).toUpperCase()}${subject.slice(1)} ${happened}`.replaceAll('_', ' ')
  const details = [
    text(data?.product?.name) ?? text(data?.name) ?? text(data?.organization?.name),
    amountOf(data),
    text(data?.customer?.email) ?? text(data?.customer_email) ?? text(data?.email) ?? text(data?.user?.email),
    text(data?.status),
  ]
  return { title, details: details.flatMap((each) => each ?? []), link: dashboard + pathOf(subject, data) }
}

function amountOf(data: Payload): string | undefined {
  const amount: unknown = data?.total_amount ?? data?.amount
  const currency = text(data?.currency)
  return Number.isSafeInteger(amount) && currency && /^[a-z]{3}$/.test(currency)
    ? `${moneyText(amount as number, currency, 'en')} ${currency.toUpperCase()}`
    : undefined
}

/** The page of an object below its organization's dashboard; the dashboard itself where it has none. */
function pathOf(subject: string, data: Payload): string {
  const pages: Readonly<Record<string, [string, unknown]>> = {
    order: ['orders', data?.id],
    refund: ['orders', data?.order_id],
    dispute: ['orders', data?.order_id],
    subscription: ['subscriptions', data?.id],
    customer: ['customers', data?.id],
    product: ['products', data?.id],
  }
  const [page, id] = pages[subject] ?? []
  return page !== undefined && typeof id === 'string' ? `/${page}/${encodeURIComponent(id)}` : ''
}

const lineLimit = 300
const short = (value: string): string => value.replace(/\s+/g, ' ').slice(0, lineLimit)

/** Slack reads `&`, `<` and `>`; links and mentions are made of the latter two. */
function slackMessage({ title, details, link }: Words): object {
  const escaped = (value: string) =>
    short(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return { text: `*${escaped(title)}*${details.map((each) => ` · ${escaped(each)}`).join('')} <${link}|Open>` }
}

/** Discord reads Markdown; nobody is mentioned, whatever is written. */
function discordMessage({ title, details, link }: Words): object {
  const escaped = (value: string) => short(value).replace(/[\\`*_~|>#[\]()<@:/-]/g, '\\$&')
  return {
    content: `**${escaped(title)}**${details.map((each) => ` · ${escaped(each)}`).join('')} · <${link}>`.slice(0, 2000),
    allowed_mentions: { parse: [] },
  }
}
