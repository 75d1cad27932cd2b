import { moneyText } from '../money-text.ts'
import { percentText, taxName } from '../tax-names.ts'
import { de } from './locales/de.ts'
import { en } from './locales/en.ts'
import { es } from './locales/es.ts'
import { fr } from './locales/fr.ts'
import type { MailMessages } from './locales/messages.ts'
import { pl } from './locales/pl.ts'
import { ru } from './locales/ru.ts'
import { tr } from './locales/tr.ts'
import { uk } from './locales/uk.ts'
import { type MailLine, mailHtml } from './mail-html.ts'
import { plainAppName, plainName } from './plain-name.ts'

/** The languages mails are written in. */
export const mailLocales = ['en', 'de', 'es', 'fr', 'pl', 'ru', 'tr', 'uk'] as const
export type MailLocale = (typeof mailLocales)[number]

interface MailWithLink {
  name: string
  url: string
  expiresInMinutes: number
}

/** What each mail needs to know. Every `url` must lie under the base URL. */
export interface MailData {
  /** To the address given at sign-up. */
  'verify-email': MailWithLink
  /** To the new address, after a change. */
  'email-changed-verify': MailWithLink
  'reset-password': MailWithLink
  /** To the old address: approve the change to `newEmail`. */
  'change-email': MailWithLink & { newEmail: string }
  /** A notice after the fact; its button leads to /forgot-password. */
  'password-changed': { name: string }
  /** A notice to the old address, after the fact. */
  'email-changed': { name: string; newEmail: string }
  /** To the owner of an address with which somebody tried to sign up: /sign-in, /forgot-password. */
  'existing-account': { name: string }
  /** What is deleted along with the account is named, as it stood when the mail was asked for. */
  'delete-account': MailWithLink & { endingOrganizations?: readonly string[] }
  /** Signs in: by the link, or by the code where it was asked for. */
  'magic-link': MailWithLink & { code: string }
  /** To whom a member invites into an organization; `inviterEmail` is null where nobody has verified it. */
  invitation: MailWithLink & {
    organizationName: string
    inviterName: string
    inviterEmail: string | null
    role: string
  }
  /** To members who may answer: somebody asks to join their organization. */
  'join-request': { name: string; organizationName: string; requesterName: string; requesterEmail: string; url: string }
  /** To whoever asked to join. */
  'join-approved': { name: string; organizationName: string; url: string }
  /** To whom an organization has been handed over. */
  'ownership-received': { name: string; organizationName: string; previousOwnerName: string; url: string }
  /** To members who can mend it: nothing is sent to a webhook endpoint any more. */
  'webhook-disabled': {
    name: string
    organizationName: string
    url: string
    /** What it is called, and where it is; of its address the host alone, because some hold a secret further on. */
    endpointName: string | null
    endpointHost: string
    reason: 'gone' | 'failing'
    /** Since when nothing has come through: ISO 8601. */
    failingSince: string
  }
  /** To whoever bought something, when it is paid or costs nothing. */
  receipt: MailWithLedger & { url: string }
  /** To whom money was given back, when it is on its way. */
  refund: MailWithRefund
  /** To members who may give money back: a buyer disputes a payment. */
  dispute: MailOfDispute
  /** To the same: a buyer's bank asks about a payment, and takes it back where nobody answers. */
  inquiry: MailOfDispute
  /** Of either, to the administrators of the installation, who have to answer. */
  'dispute-to-answer': MailOfDispute
  /** To whom money was given back that has come back to the seller. */
  'refund-failed': MailWithRefund
}

interface MailWithLedger {
  name: string
  organizationName: string
  /** Of the invoice, of the receipt or of the credit note. */
  documentNumber: string
  /** Of receipts: what the number is one of, which is the document that comes with them. */
  documentKind?: 'invoice' | 'receipt'
  /** ISO 8601. */
  paidOn: string
  currency: string
  /** All amounts are whole minor units. */
  items: readonly { label: string; amount: number }[]
  discountAmount: number
  taxAmount: number
  /** What it is the sum of; none where nobody was asked, and in orders from before there were any. */
  taxes?: readonly { name: string; percent: string; amount: number }[]
  /** Whether the buyer owes the tax. */
  isReverseCharge?: boolean
  totalAmount: number
  /** Whether no real money has moved. */
  isTest: boolean
}

interface MailOfDispute {
  name: string
  organizationName: string
  url: string
  /** Of the invoice. */
  documentNumber: string
  currency: string
  totalAmount: number
  /** ISO 8601. */
  answerUntil: string | null
  isTest: boolean
}

interface MailWithRefund extends MailWithLedger {
  /** What the order had cost, tax included. */
  paidAmount: number
}

/** What any mail may say, whichever it is. */
type AnyMailData = Partial<
  MailData['change-email'] &
    MailData['delete-account'] &
    MailData['magic-link'] &
    MailData['invitation'] &
    MailData['join-request'] &
    MailData['ownership-received'] &
    MailData['receipt'] &
    MailData['refund'] &
    MailData['webhook-disabled'] &
    MailData['dispute']
>

export type MailTemplate = keyof MailData

export interface RenderedMail {
  subject: string
  html: string
  text: string
}

/** The two settings every mail shows. */
export interface MailBrand {
  appName: string
  baseURL: string
}

const words: Record<MailLocale, MailMessages> = { en, de, es, fr, pl, ru, tr, uk }

const placeholder = /\{(\w+)\}/g

// One pass, so that a name which itself contains a placeholder is not filled a second time.
const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(placeholder, (_, key: string) => {
    const value = values[key]
    if (value === undefined) throw new Error(`Nothing to put in the place of {${key}}`)
    return value
  })

const duration = (minutes: number, locale: MailLocale): string => {
  const whole = Math.max(1, Math.floor(minutes))
  // "24 hours" is clearer than "1 day" for a link, so days start at two.
  const days = whole >= 2880 ? Math.floor(whole / 1440) : 0
  const parts = [
    { unit: 'day', count: days },
    { unit: 'hour', count: Math.floor((whole - days * 1440) / 60) },
    { unit: 'minute', count: whole % 60 },
  ]
  const spoken = parts
    .filter(({ count }) => count > 0)
    .map(({ unit, count }) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count))
  return new Intl.ListFormat(locale, { type: 'unit', style: 'long' }).format(spoken)
}

// Links come from the configured address only. A caller that passes anything else has a fault that must not be mailed.
const requireOwnUrl = (url: string, baseURL: string): string => {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || parsed.origin !== new URL(baseURL).origin || parsed.username || /[\s"<>\\]/.test(url))
    throw new Error('A mailed link must lie under the base URL')
  return url
}

const pageUrl = (page: string, baseURL: string) => new URL(page, baseURL.endsWith('/') ? baseURL : `${baseURL}/`).href

const linkOf = (template: MailTemplate, data: AnyMailData, baseURL: string): string | undefined => {
  if (template === 'password-changed') return pageUrl('forgot-password', baseURL)
  if (template === 'existing-account') return pageUrl('sign-in', baseURL)
  return data.url === undefined ? undefined : requireOwnUrl(data.url, baseURL)
}

/** Who somebody is: by name and, after it, by address, as far as they are known. */
const person = (name: string, email: string | null): string => {
  const shownName = plainName(name)
  if (email === null) return shownName
  return shownName ? `${shownName} (${withoutControls(email)})` : withoutControls(email)
}

/** The names in mails about organizations: all of them are somebody's choice. */
const organizationValues = (data: AnyMailData): Record<string, string> => {
  if (data.organizationName === undefined) return {}
  const organizationName = plainName(data.organizationName)
  return {
    organizationName,
    // A name that cannot be shown leaves the organization to speak for its members.
    inviter: person(data.inviterName ?? '', data.inviterEmail ?? null) || organizationName,
    requester: person(data.requesterName ?? '', data.requesterEmail ?? null),
    previousOwner: plainName(data.previousOwnerName ?? '') || '–',
    role: plainName((data.role ?? '').replaceAll(',', ', ')),
  }
}

/** The organizations that are deleted along with an account; nothing for mails about anything else. */
const endingValues = ({ endingOrganizations = [] }: AnyMailData, locale: MailLocale): Record<string, string> =>
  endingOrganizations.length === 0
    ? {}
    : { organizations: new Intl.ListFormat(locale).format(endingOrganizations.map((name) => plainName(name) || '–')) }

const withoutControls = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, '')

/** A day as its language writes it, in UTC. */
const dayText = (time: string, locale: MailLocale): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(time))

/** Which endpoint was switched off, and why; nothing for mails about anything else. */
const endpointValues = (data: AnyMailData, messages: MailMessages, locale: MailLocale): Record<string, string> => {
  const { endpointName, endpointHost, reason, failingSince } = data
  if (endpointHost === undefined || reason === undefined) return {}
  const name = plainName(endpointName ?? '')
  // Written as a name is, so that no mail program makes a link of it.
  const host = plainName(endpointHost)
  const since = failingSince ? dayText(failingSince, locale) : ''
  return {
    endpoint: name ? `${name} (${host})` : host,
    reason: fill(messages.webhookReasons[reason], { since }),
  }
}

/** How much was given back of how much; nothing for mails about anything else. */
const refundValues = (data: AnyMailData, locale: MailLocale): Record<string, string> => {
  const { paidAmount, totalAmount = 0, currency = '' } = data
  if (paidAmount === undefined) return {}
  return { amount: moneyText(totalAmount, currency, locale), paid: moneyText(paidAmount, currency, locale) }
}

/** What was bought or given back, line by line, with the amounts; nothing for mails about anything else. */
const ledgerOf = (
  template: MailTemplate,
  data: AnyMailData,
  { ledger: words }: MailMessages,
  locale: MailLocale,
): readonly MailLine[] => {
  const isBack = template === 'refund' || template === 'refund-failed'
  const isDispute = template === 'dispute' || template === 'inquiry' || template === 'dispute-to-answer'
  if (template !== 'receipt' && !isDispute && !isBack) return []
  const { items = [], discountAmount = 0, taxAmount = 0, taxes = [], totalAmount = 0, currency = '' } = data
  const money = (amount: number) => moneyText(amount, currency, locale)
  const number = plainName(data.documentNumber ?? '')
  const total = `${money(totalAmount)} ${currency.toUpperCase()}`
  if (isDispute)
    return [
      { label: words.invoice, value: number },
      ...(data.answerUntil ? [{ label: words.answerUntil, value: dayText(data.answerUntil, locale) }] : []),
      { label: words.disputed, value: total },
    ]
  const kind = data.documentKind === 'invoice' ? words.invoice : words.number
  return [
    { label: isBack ? words.creditNote : kind, value: number },
    { label: words.date, value: dayText(data.paidOn ?? '', locale) },
    ...items.map(({ label, amount }) => ({ label: plainName(label), value: money(amount) })),
    ...(discountAmount > 0 ? [{ label: words.discount, value: money(-discountAmount) }] : []),
    ...taxes.map(({ name, percent, amount }) => ({
      label: `${plainName(taxName(name, locale))} ${percentText(percent, locale)}`,
      value: money(amount),
    })),
    ...(taxAmount > 0 && taxes.length === 0 ? [{ label: words.tax, value: money(taxAmount) }] : []),
    {
      label: template === 'refund' ? words.refunded : words.total,
      value: `${money(totalAmount)} ${currency.toUpperCase()}`,
    },
  ]
}

/** Writes one mail in one language: subject, HTML and plain text. Names in it can carry neither markup nor links. */
export const renderMail = <Template extends MailTemplate>(
  template: Template,
  data: MailData[Template],
  locale: MailLocale,
  brand: MailBrand,
): RenderedMail => {
  const messages = words[locale]
  const mail = messages[template]
  const known: AnyMailData = data
  const { name, newEmail, code, expiresInMinutes } = known
  const link = linkOf(template, known, brand.baseURL)
  const shownName = plainName(name ?? '')
  const values = {
    appName: plainAppName(brand.appName),
    name: shownName,
    host: new URL(brand.baseURL).host,
    resetUrl: pageUrl('forgot-password', brand.baseURL),
    ...organizationValues(known),
    ...endpointValues(known, messages, locale),
    ...refundValues(known, locale),
    ...endingValues(known, locale),
    ...(newEmail !== undefined && { newEmail: withoutControls(newEmail) }),
    ...(expiresInMinutes !== undefined && { duration: duration(expiresInMinutes, locale) }),
  }
  const greeting = shownName ? messages.greeting : messages.greetingWithoutName
  const button = mail.button && link ? { label: mail.button, url: link } : undefined

  const ledger = ledgerOf(template, known, messages, locale)
  const body = [
    ...mail.body,
    ...(known.endingOrganizations?.length ? [messages.endingOrganizations] : []),
    ...(known.isReverseCharge ? [messages.ledger.reverseCharge] : []),
    ...(known.isTest ? [messages.ledger.testMode] : []),
  ]
  const typed = mail.code && code ? { label: mail.code, digits: code } : undefined

  const text = [
    fill(greeting, values),
    ...body.map((paragraph) => fill(paragraph, values)),
    ...(ledger.length > 0 ? [ledger.map(({ label, value }) => `${label}: ${value}`).join('\n')] : []),
    ...(button ? [`${fill(button.label, values)}:\n${button.url}`] : []),
    ...(typed ? [`${fill(typed.label, values)}\n${typed.digits}`] : []),
    ...mail.after.map((paragraph) => fill(paragraph, values)),
    `-- \n${fill(messages.footer, values)}`,
  ].join('\n\n')

  return {
    // No names of people here, and of organizations those alone that sell, to who buys from them: the subject is what a
    // stranger's notification shows. Nothing turns a subject into links, so the
    // joiners of the application's name are taken out again.
    subject: withoutControls(fill(mail.subject, values)),
    html: mailHtml({ mail, messages, locale, greeting, body, ledger, button, typed, values, fill }),
    text: `${text}\n`,
  }
}
