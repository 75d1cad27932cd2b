import type { WebhookFormat } from '@tollgate/contract/billing'
import { type Place, type Words, wordsOf } from './webhook-words.ts'

/** What a message is made of: an event's type and moment, and its object as JSON. */
export type Told = { readonly type: string; readonly createdAt: Date; readonly payload: string }

/** The body of a message; the same bytes whenever it is made of the same event (WH-4). */
export function bodyOf(format: WebhookFormat, told: Told, place: Place): Buffer {
  if (format === 'raw') return Buffer.from(rawBody(told))
  const words = wordsOf(told.type, told.payload, place)
  const message = format === 'slack' ? slackMessage(words) : discordMessage(words)
  return Buffer.from(JSON.stringify(message))
}

/** The body of the raw format (WH-1). */
export const rawBody = ({ type, createdAt, payload }: Told): string =>
  `{"type":${JSON.stringify(type)},"timestamp":"${createdAt.toISOString()}","data":${payload}}`

/** Slack's limit for the text of a section is 3000 letters, and a mark more or less is none to argue about. */
const slackLimit = 2900

/**
 * Slack makes links and mentions of `<` and `>`, and reads `&`. Of addresses that people have written in a name it would make
 * links by itself; a section whose text is `verbatim` leaves them alone. `text` is what notifications show, and what other
 * chats that speak this format read.
 */
function slackMessage({ sentence, details, link }: Words): object {
  const said = `*${forSlack(sentence)}*${details.map((each) => ` · ${forSlack(each)}`).join('')}`
  const text = `${cut(said, slackLimit - link.length)} <${link}|Open>`
  return { text, blocks: [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }] }
}

/** Signs that begin or end bold, italic, struck or code stand beside a word; there they are kept apart from it. */
const forSlack = (value: string): string =>
  value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/(?<![\p{L}\p{N}])[*_~`]|[*_~`](?![\p{L}\p{N}])/gu, '\u200b$&\u200b')

/** Discord's limit for a message is 2000 letters. */
const discordLimit = 2000

/** Discord reads Markdown, in which a backslash takes a sign for itself; nobody is mentioned, whatever is written. */
function discordMessage({ sentence, details, link }: Words): object {
  const said = `**${forDiscord(sentence)}**${details.map((each) => ` · ${forDiscord(each)}`).join('')}`
  return { content: `${cut(said, discordLimit - link.length - 5)} · <${link}>`, allowed_mentions: { parse: [] } }
}

const forDiscord = (value: string): string => value.replace(/[\\`*_~|>#[\]()<@:/-]/g, '\\$&')

/** Before the last detail that has no more room, so that no sign loses what it is escaped by. */
function cut(said: string, room: number): string {
  return said.length <= room ? said : said.slice(0, said.lastIndexOf(' · ', room))
}
