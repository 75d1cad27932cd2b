import { type Brand, brandOver, type InstallationBrand } from '@tollgate/contract/brand'
import { dayText, fill } from '../localized-text.ts'
import { moneyText } from '../money-text.ts'
import { percentText, taxName } from '../tax/tax-names.ts'
import de from './locales/de.json' with { type: 'json' }
import en from './locales/en.json' with { type: 'json' }
import es from './locales/es.json' with { type: 'json' }
import fr from './locales/fr.json' with { type: 'json' }
import type { MailMessages, MailWords } from './locales/messages.ts'
import pl from './locales/pl.json' with { type: 'json' }
import ru from './locales/ru.json' with { type: 'json' }
import tr from './locales/tr.json' with { type: 'json' }
import uk from './locales/uk.json' with { type: 'json' }
import type { AnyMailData, MailData, MailTemplate } from './mail-data.ts'
import { type MailLine, type MailLook, mailHtml } from './mail-html.ts'
import { plainAppName, plainName } from './plain-name.ts'

/** The languages of mails. */
export const mailLocales = ['en', 'de', 'es', 'fr', 'pl', 'ru', 'tr', 'uk'] as const

export type MailLocale = (typeof mailLocales)[number]

export interface RenderedMail {
  subject: string
  html: string
  text: string
}

/** The application that sends a mail. */
export interface MailSender {
  appName: string
  baseURL: string
  brand: InstallationBrand
}

/** The organization that a mail is from: the seller, to buyers, or the inviting one. It wears their name, logo and brand. */
export interface MailSeller {
  name: string
  /** The address of a picture. */
  logo: string | null
  brand: Brand
}

const words: Readonly<Record<MailLocale, MailMessages>> = { en, de, es, fr, pl, ru, tr, uk }

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

// Links use the configured address only. A caller that passes another has a fault that must not be mailed.
const requireOwnUrl = (url: string, baseURL: string): string => {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || parsed.origin !== new URL(baseURL).origin || parsed.username || /[\s"<>\\]/.test(url))
    throw new Error('A mailed link must lie under the base URL')
  return url
}

const pageUrl = (page: string, baseURL: string) => new URL(page, baseURL.endsWith('/') ? baseURL : `${baseURL}/`).href

/** The absolute address of a picture, which may lie on this server; null for what mail programs do not load. */
function pictureUrl(address: string | null, baseURL: string): string | null {
  const url = address === null ? null : URL.parse(address, baseURL)
  return url && /^https?:$/.test(url.protocol) ? url.href : null
}

/**
 * The same for the logo of an organization. Anyone may invite strangers, so an invitation loads only a picture that
 * this server keeps: another address would learn who opens the mail, and when.
 */
function logoUrl(template: MailTemplate, logo: string | null, baseURL: string): string | null {
  const url = pictureUrl(logo, baseURL)
  const isKeptHere = url !== null && new URL(url).origin === new URL(baseURL).origin
  return template === 'invitation' && !isKeptHere ? null : url
}

/** The pages that notices lead to; other mails are given their link. */
const pages: Partial<Record<MailTemplate, string>> = {
  'password-changed': 'forgot-password',
  'account-linked': 'account/connections',
  'existing-account': 'sign-in',
}

const linkOf = (template: MailTemplate, { url }: AnyMailData, baseURL: string): string | undefined => {
  const page = pages[template]
  if (page !== undefined) return pageUrl(page, baseURL)
  return url === undefined ? undefined : requireOwnUrl(url, baseURL)
}

/** A person's name and address, as far as known. */
const person = (name: string, email: string | null): string => {
  const shownName = plainName(name)
  if (email === null) return shownName
  return shownName ? `${shownName} (${withoutControls(email)})` : withoutControls(email)
}

/** The names in mails about organizations: users choose all of them. */
const organizationValues = (data: AnyMailData): Record<string, string> => {
  if (data.organizationName === undefined) return {}
  const organizationName = plainName(data.organizationName)
  return {
    organizationName,
    // If a name cannot be shown, the organization speaks for its members.
    inviter: person(data.inviterName ?? '', data.inviterEmail ?? null) || organizationName,
    requester: person(data.requesterName ?? '', data.requesterEmail ?? null),
    previousOwner: plainName(data.previousOwnerName ?? '') || '–',
    role: plainName((data.role ?? '').replaceAll(',', ', ')),
  }
}

/** The organizations deleted along with an account; empty for other mails. */
const endingValues = ({ endingOrganizations = [] }: AnyMailData, locale: MailLocale): Record<string, string> =>
  endingOrganizations.length === 0
    ? {}
    : { organizations: new Intl.ListFormat(locale).format(endingOrganizations.map((name) => plainName(name) || '–')) }

const withoutControls = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, '')

/** The disabled endpoint and the reason; empty for other mails. */
const endpointValues = (data: AnyMailData, messages: MailMessages, locale: MailLocale): Record<string, string> => {
  const { endpointName, endpointHost, reason, failingSince } = data
  if (endpointHost === undefined || reason === undefined) return {}
  const name = plainName(endpointName ?? '')
  // Written as a name is, so that no mail program links it.
  const host = plainName(endpointHost)
  const since = failingSince ? dayText(failingSince, locale) : ''
  return {
    endpoint: name ? `${name} (${host})` : host,
    reason: fill(messages.webhookReasons[reason], { since }),
  }
}

/** The names of processors are those of their brands, in every language. */
const processorNames = { sandbox: 'Sandbox', stripe: 'Stripe', manual: 'Manual' } as const

/** Why an administrator must check money; empty for other mails. */
const attentionValues = (
  { kind, processor, organizationName = '' }: AnyMailData,
  messages: MailMessages,
): Record<string, string> => {
  if (kind === undefined || processor === undefined) return {}
  const values = { processor: processorNames[processor], organizationName: plainName(organizationName) }
  return { processor: values.processor, reason: fill(messages.attentionReasons[kind], values) }
}

/** The refunded part of the total; empty for other mails. */
const refundValues = (data: AnyMailData, locale: MailLocale): Record<string, string> => {
  const { paidAmount, totalAmount = 0, currency = '' } = data
  if (paidAmount === undefined) return {}
  return { amount: moneyText(totalAmount, currency, locale), paid: moneyText(paidAmount, currency, locale) }
}

/** What a renewal costs, why it is not paid, and what follows; empty for other mails. */
const renewalValues = (data: AnyMailData, messages: MailMessages, locale: MailLocale): Record<string, string> => {
  const { productName, totalAmount, currency = '', declined, next, organizationName = '', resumesOn, renewsOn } = data
  if (productName === undefined) return {}
  const amount: Record<string, string> =
    totalAmount === undefined ? {} : { amount: moneyText(totalAmount, currency, locale) }
  const sold = { product: plainName(productName), ...amount }
  if (data.dueOn !== undefined) return { ...sold, ...invoiceValues(data, messages, locale) }
  if (data.paidBy !== undefined) return { ...sold, step: messages.resumedSteps[data.paidBy] }
  const on = data.endsOn ?? renewsOn
  if (on !== undefined) {
    const of = { ...sold, organizationName: plainName(organizationName) }
    const step = data.renewalStep && fill(messages.renewalSteps[data.renewalStep], of)
    const before = data.beforeAmount === undefined ? undefined : moneyText(data.beforeAmount, currency, locale)
    return {
      ...sold,
      date: dayText(on, locale),
      ...(step !== undefined && { step }),
      ...(before !== undefined && { before }),
    }
  }
  if (data.validUntil !== undefined)
    return { ...sold, date: dayText(data.validUntil, locale), card: plainName(data.lastFour ?? '') }
  if (resumesOn !== undefined) return { ...sold, step: pauseStep(resumesOn, messages, locale) }
  if (declined === undefined || next === undefined) return sold
  const after = { date: dayText(next.on, locale), organizationName: plainName(organizationName) }
  return { ...sold, reason: messages.paymentReasons[declined], step: fill(messages.paymentSteps[next.step], after) }
}

/** An invoice, and what follows once it is overdue. */
const invoiceValues = (data: AnyMailData, messages: MailMessages, locale: MailLocale): Record<string, string> => {
  const { dueOn = '', documentNumber = '', overdue, organizationName = '' } = data
  const date = overdue?.on ? dayText(overdue.on, locale) : ''
  const step =
    overdue && fill(messages.overdueSteps[overdue.step], { date, organizationName: plainName(organizationName) })
  return { number: plainName(documentNumber), date: dayText(dueOn, locale), ...(step !== undefined && { step }) }
}

/** How long a pause lasts. */
const pauseStep = (resumesOn: string | null, { pauseSteps }: MailMessages, locale: MailLocale): string =>
  resumesOn === null ? pauseSteps.open : fill(pauseSteps.until, { date: dayText(resumesOn, locale) })

/** The lines of a purchase or refund with their amounts; empty for other mails. */
const ledgerOf = (
  template: MailTemplate,
  data: AnyMailData,
  { ledger: words }: MailMessages,
  locale: MailLocale,
): readonly MailLine[] => {
  const isBack = template === 'refund' || template === 'refund-failed'
  if (template === 'money-to-check') return attentionLines(data, words, locale)
  const isDispute = template === 'dispute' || template === 'inquiry' || template === 'dispute-to-answer'
  const isRenewal = data.productName !== undefined
  if (template !== 'receipt' && !isDispute && !isBack && !isRenewal) return []
  const { items = [], discountAmount = 0, taxAmount = 0, taxes = [], totalAmount = 0, currency = '' } = data
  const money = (amount: number) => moneyText(amount, currency, locale)
  const number = plainName(data.documentNumber ?? '')
  const buyer = plainName(data.name ?? '')
  // A mail of a pause names no amount.
  const total = data.totalAmount === undefined ? '' : `${money(totalAmount)} ${currency.toUpperCase()}`
  if (isDispute)
    return [
      { label: words.invoice, value: number },
      ...(data.answerUntil ? [{ label: words.answerUntil, value: dayText(data.answerUntil, locale) }] : []),
      { label: words.disputed, value: total },
    ]
  if (isRenewal)
    return [
      ...(data.dueOn
        ? [
            { label: words.invoice, value: number },
            { label: words.dueOn, value: dayText(data.dueOn, locale) },
          ]
        : []),
      ...(buyer ? [{ label: words.buyer, value: buyer, isName: true }] : []),
      ...(total ? [{ label: plainName(data.productName ?? ''), value: total }] : []),
    ]
  const kind = data.documentKind === 'invoice' ? words.invoice : words.number
  return [
    { label: isBack ? words.creditNote : kind, value: number },
    { label: words.date, value: dayText(data.paidOn ?? '', locale) },
    ...(buyer ? [{ label: words.buyer, value: buyer, isName: true }] : []),
    ...items.map(({ label, amount }) => ({ label: plainName(label), value: money(amount) })),
    ...(discountAmount > 0 ? [{ label: words.discount, value: money(-discountAmount) }] : []),
    ...taxes.map(({ name, percent, amount }) => ({
      label: `${plainName(taxName(name, locale))} ${percentText(percent, locale)}`,
      value: money(amount),
    })),
    ...(taxAmount > 0 && taxes.length === 0 ? [{ label: words.tax, value: money(taxAmount) }] : []),
    { label: template === 'refund' ? words.refunded : words.total, value: total },
  ]
}

/** What moved at a processor, and what was requested. */
function attentionLines(data: AnyMailData, words: MailMessages['ledger'], locale: MailLocale): readonly MailLine[] {
  const { processor, reference = '', totalAmount = 0, currency = '', expected } = data
  const money = (amount: number, unit: string) => `${moneyText(amount, unit, locale)} ${unit.toUpperCase()}`
  return [
    ...(processor ? [{ label: words.processor, value: processorNames[processor] }] : []),
    { label: words.reference, value: plainName(reference) },
    ...(expected ? [{ label: words.expected, value: money(expected.amount, expected.currency) }] : []),
    { label: words.moved, value: money(totalAmount, currency) },
  ]
}

/** Renders one mail in one language: subject, HTML and plain text. Names in it can carry neither markup nor links. */
export const renderMail = <Template extends MailTemplate>(
  template: Template,
  data: MailData[Template],
  locale: MailLocale,
  { appName, baseURL, brand }: MailSender,
  seller?: MailSeller,
): RenderedMail => {
  const messages = words[locale]
  const mail: MailWords = messages[template]
  const known: AnyMailData = data
  const { name, newEmail, providerName, code, expiresInMinutes } = known
  const link = linkOf(template, known, baseURL)
  const shownName = plainName(name ?? '')
  const values = {
    appName: plainAppName(appName),
    name: shownName,
    host: new URL(baseURL).host,
    resetUrl: pageUrl('forgot-password', baseURL),
    ...organizationValues(known),
    ...endpointValues(known, messages, locale),
    ...attentionValues(known, messages),
    ...refundValues(known, locale),
    ...renewalValues(known, messages, locale),
    ...endingValues(known, locale),
    ...(newEmail !== undefined && { newEmail: withoutControls(newEmail) }),
    ...(providerName !== undefined && { providerName: plainName(providerName) }),
    ...(expiresInMinutes !== undefined && { duration: duration(expiresInMinutes, locale) }),
  }
  const ledger = ledgerOf(template, known, messages, locale)
  // A buyer's name is a stranger's free text, so it is in the table and not in the greeting.
  const isGreeted = shownName !== '' && known.items === undefined && known.productName === undefined
  const greeting = isGreeted ? messages.greeting : messages.greetingWithoutName
  const button = mail.button && link ? { label: mail.button, url: link } : undefined

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

  const look: MailLook = {
    name: (seller && plainName(seller.name)) || values.appName,
    logo: seller ? logoUrl(template, seller.logo, baseURL) : pictureUrl(brand.logo, baseURL),
    brand: seller ? brandOver(seller.brand, brand) : brand,
  }

  return {
    // A stranger's notification may show the subject: it names no people, and only selling organizations, to their
    // buyers. Mail programs link nothing in a subject, so it omits the joiners of the application's name.
    subject: withoutControls(fill(mail.subject, values)),
    html: mailHtml({ look, mail, messages, locale, greeting, body, ledger, button, typed, values }),
    text: `${text}\n`,
  }
}
