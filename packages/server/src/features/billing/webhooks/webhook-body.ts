import type { WebhookFormat } from '@tollgate/contract/billing'
import { type Place, type Words, wordsOf } from './webhook-words.ts'

/** The input of a message: the event's type and time, and its payload as JSON. */
export type StoredMessage = { readonly type: string; readonly createdAt: Date; readonly payload: string }

/** The body of a message. The same event always gives the same bytes (WH-4). */
export function bodyOf(format: WebhookFormat, told: StoredMessage, place: Place): Buffer {
  if (format === 'raw') return Buffer.from(rawBody(told))
  const words = wordsOf(told.type, told.payload, place)
  const message = format === 'slack' ? slackMessage(words) : discordMessage(words)
  return Buffer.from(JSON.stringify(message))
}

/** The body of the raw format (WH-1). */
export const rawBody = ({ type, createdAt, payload }: StoredMessage): string =>
  `{"type":${JSON.stringify(type)},"timestamp":"${createdAt.toISOString()}","data":${payload}}`

/** Slack allows 3000 characters per section; this leaves room for the markup. */
const slackLimit = 2900

/**
 * Slack reads `<`, `>` and `&` as links, mentions and entities, and would turn a URL in a name into a link; `verbatim`
 * prevents that. Notifications, and other chats that accept this format, show `text`.
 */
function slackMessage({ sentence, details, link }: Words): object {
  const said = `*${forSlack(sentence)}*${details.map((each) => ` · ${forSlack(each)}`).join('')}`
  const text = `${cut(said, slackLimit - link.length)} <${link}|Open>`
  return { text, blocks: [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }] }
}

/** Bold, italic, strike and code marks work only beside a word: a zero-width space disables them. */
const forSlack = (value: string): string =>
  value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/(?<![\p{L}\p{N}])[*_~`]|[*_~`](?![\p{L}\p{N}])/gu, '\u200b$&\u200b')

/** Discord allows 2000 characters per message. */
const discordLimit = 2000

/** Discord reads Markdown: a backslash escapes a character. `allowed_mentions` stops names from mentioning people. */
function discordMessage({ sentence, details, link }: Words): object {
  const said = `**${forDiscord(sentence)}**${details.map((each) => ` · ${forDiscord(each)}`).join('')}`
  return { content: `${cut(said, discordLimit - link.length - 5)} · <${link}>`, allowed_mentions: { parse: [] } }
}

const forDiscord = (value: string): string => value.replace(/[\\`*_~|>#[\]()<@:/-]/g, '\\$&')

/** Cuts between details, so that no escape sequence is split. */
function cut(said: string, room: number): string {
  return said.length <= room ? said : said.slice(0, said.lastIndexOf(' · ', room))
}

/** A checkout with its client secret, and the URLs that end with it, as `emitCheckout` left them. */
export function withClientSecret(payload: string, origin: string, clientSecret: string): string {
  const checkout: Record<string, unknown> = JSON.parse(payload) // written by `emitCheckout`
  const page = `${origin}/checkout/`
  const { url, success_url: successUrl } = checkout
  return JSON.stringify({
    ...checkout,
    client_secret: clientSecret,
    ...(url === page && { url: page + clientSecret }),
    ...(successUrl === `${page}/confirmation` && { success_url: `${page}${clientSecret}/confirmation` }),
  })
}

/** Whether a payload is that of a checkout whose client secret is left out. */
export const lacksClientSecret = (payload: string): boolean => JSON.parse(payload).client_secret === ''
