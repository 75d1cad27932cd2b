import { noBrand } from '@tollgate/contract/brand'
import { expect, test } from 'vitest'
import { usualBrand } from '../brand.repository.ts'
import de from './locales/de.json' with { type: 'json' }
import en from './locales/en.json' with { type: 'json' }
import es from './locales/es.json' with { type: 'json' }
import fr from './locales/fr.json' with { type: 'json' }
import pl from './locales/pl.json' with { type: 'json' }
import ru from './locales/ru.json' with { type: 'json' }
import tr from './locales/tr.json' with { type: 'json' }
import uk from './locales/uk.json' with { type: 'json' }
import type { MailData, MailTemplate } from './mail-data.ts'
import { plainName } from './plain-name.ts'
import { type MailLocale, mailLocales, renderMail } from './templates.ts'
import { mailSamples, sampleUrl } from './testing/mail-samples.ts'

const baseURL = 'https://accounts.acme.example'
const sender = { appName: 'Acme', baseURL, brand: usualBrand }
const url = sampleUrl
const data = mailSamples
const links: Record<MailTemplate, string[]> = {
  'verify-email': [url],
  'email-changed-verify': [url],
  'reset-password': [url],
  'change-email': [url],
  'password-changed': [`${baseURL}/forgot-password`],
  'account-linked': [`${baseURL}/account/connections`],
  'email-changed': [],
  'existing-account': [`${baseURL}/sign-in`, `${baseURL}/forgot-password`],
  'delete-account': [url],
  'magic-link': [url],
  invitation: [url],
  'join-request': [url],
  'join-approved': [url],
  'ownership-received': [url],
  receipt: [url],
  refund: [],
  'refund-failed': [],
  'payment-failed': [url],
  'invoice-issued': [url],
  'invoice-due': [url],
  'invoice-overdue': [url],
  'trial-ending': [url],
  'trial-ended': [url],
  'subscription-ended': [],
  'subscription-recovered': [],
  'subscription-paused': [],
  'subscription-resumed': [],
  'renewal-reminder': [],
  'price-change': [],
  'price-kept': [],
  'card-expiring': [url],
  'card-expired': [url],
  'webhook-disabled': [url],
  dispute: [url],
  inquiry: [url],
  'dispute-to-answer': [url],
  'money-to-check': [url],
}
const templates = Object.keys(data) as MailTemplate[]
const every = mailLocales.flatMap((locale) => templates.map((template) => ({ locale, template })))
const languages: Record<MailLocale, typeof en> = { de, en, es, fr, pl, ru, tr, uk }

const unescapeHtml = (html: string) => html.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
const hrefsOf = (html: string) => Array.from(html.matchAll(/ href="([^"]*)"/g), ([, href = '']) => unescapeHtml(href))
const visibleText = (html: string) => unescapeHtml(html.replace(/<style>.*?<\/style>/s, '').replace(/<[^>]*>/g, ' '))
const addressesIn = (text: string) => Array.from(text.matchAll(/https?:\/\/\S+/g), ([address]) => address)

test.each(every)('$template in $locale has a subject, its links exactly, and nothing left to fill in', (mail) => {
  const { subject, html, text } = renderMail(mail.template, data[mail.template], mail.locale, sender)

  // Buyers know the seller, and nothing of the server's operator.
  const isSeller =
    ['receipt', 'refund', 'refund-failed', 'payment-failed', 'renewal-reminder'].includes(mail.template) ||
    mail.template.startsWith('price-') ||
    mail.template.startsWith('subscription-') ||
    mail.template.startsWith('card-') ||
    mail.template.startsWith('invoice-') ||
    mail.template.startsWith('trial-')
  expect(subject).toContain(isSeller ? 'Analytical Engines' : 'Acme')
  expect(subject.length).toBeLessThan(90)
  expect(new Set(hrefsOf(html))).toEqual(new Set(links[mail.template]))
  expect(new Set(addressesIn(visibleText(html)))).toEqual(
    new Set(mail.template === 'existing-account' || links[mail.template].length ? links[mail.template] : []),
  )
  expect(addressesIn(text)).toEqual(links[mail.template])
  expect(html.match(/class="button"/g) ?? []).toHaveLength(links[mail.template].length ? 1 : 0)
  expect(`${subject}${html.replace(/<style>.*?<\/style>/s, '')}${text}`).not.toMatch(/[{}]|undefined|null|NaN/)
  for (const part of [visibleText(html), text]) expect(part).toContain('Ada Lovelace')
  expect(html).toMatch(new RegExp(`<html lang="${mail.locale}" dir="ltr">`))
})

test('no language repeats the English words', () => {
  for (const locale of mailLocales.filter((other) => other !== 'en'))
    for (const template of templates) {
      expect(languages[locale][template].heading).not.toBe(en[template].heading)
      expect(languages[locale][template].body).not.toEqual(en[template].body)
    }
})

test.each(every)('names carry neither markup nor links into $template in $locale', ({ locale, template }) => {
  const hostileName =
    '<script>alert(1)</script>{url} https://evil.example/x www.evil.example \u202eeve@evil.example\r\nBcc: a@b.c'
  const hostile = {
    ...data[template],
    name: hostileName,
    organizationName: hostileName,
    inviterName: hostileName,
    requesterName: hostileName,
    previousOwnerName: hostileName,
    role: hostileName,
    documentNumber: hostileName,
    endpointName: hostileName,
    endpointHost: 'evil.example',
    items: [{ label: hostileName, amount: 1900 }],
    newEmail: 'eve<b>@evil.example',
    inviterEmail: 'eve<b>@evil.example',
    requesterEmail: 'eve<b>@evil.example',
  }
  const { subject, html, text } = renderMail(template, hostile, locale, {
    appName: '<script>Acme</script> {name} https://evil.example\r\nBcc: a@b.c',
    baseURL,
    brand: usualBrand,
  })

  expect(subject).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(html).not.toMatch(/<script|<b>/)
  expect(new Set(hrefsOf(html))).toEqual(new Set(links[template]))
  for (const part of [visibleText(html), text]) {
    expect(new Set(addressesIn(part))).toEqual(new Set(links[template]))
    expect(part.replaceAll(hostile.newEmail, '')).not.toMatch(/evil\.\p{L}|www\.\p{L}|\/\/evil|eve@|\u202e/u)
  }
})

test.each([
  ['Ada Lovelace', 'Ada Lovelace'],
  ['J.R.R. Tolkien', 'J. R. R. Tolkien'],
  ['Zoë O’Neil-Ünal', 'Zoë O’Neil-Ünal'],
  ['Ольга Кіт', 'Ольга Кіт'],
  ['Win at evil.example/now', 'Win at evil. example now'],
  ['https://evil.example', 'https evil. example'],
  ['evil．example', 'evil. example'],
  ['evil。example', 'evil。 example'],
  ['ev\u200bil.ex\u00adample', 'ev il. ex ample'],
  ['a@b.c', 'a b. c'],
  ['  A \t\r\n B  ', 'A B'],
  ['[click](https://evil.example)', 'click (https evil. example)'],
  ['\u0000\u202e', ''],
  ['x'.repeat(80), `${'x'.repeat(60)}…`],
  ['👩‍👩‍👧'.repeat(70), expect.not.stringContaining('\ufffd')],
])('the name %j is shown as %j', (name, shown) => {
  expect(plainName(name)).toEqual(shown)
})

test('a mail to a user without a name greets without one', () => {
  const { text, html } = renderMail('reset-password', { ...data['reset-password'], name: ' ' }, 'fr', sender)

  expect(text.startsWith('Bonjour,\n\n')).toBe(true)
  expect(html).toContain('>Bonjour,<')
})

test.each(every.filter(({ template }) => ['receipt', 'refund', 'refund-failed'].includes(template)))(
  '$template in $locale never starts with text that the buyer typed, nor shows it in the subject or preview',
  ({ locale, template }) => {
    const said = { ...data[template], name: 'Call us now' }
    const { subject, html, text } = renderMail(template, said, locale, sender)
    const { greetingWithoutName, ledger } = languages[locale]

    expect(text.startsWith(`${greetingWithoutName}\n\n`)).toBe(true)
    expect(text).toContain(`${ledger.buyer}: Call us now\n`)
    expect(subject).not.toContain('Call us')
    expect(visibleText(html).indexOf('Call us')).toBeGreaterThan(visibleText(html).indexOf(ledger.date))
  },
)

test.each(every.filter(({ template }) => template === 'invitation'))(
  'an invitation in $locale names the inviter, the organization and the role',
  ({ locale }) => {
    const { html, text } = renderMail('invitation', data.invitation, locale, sender)

    for (const part of [visibleText(html), text]) {
      expect(part).toContain('Charles Babbage (charles@example.org)')
      expect(part).toContain('Analytical Engines')
      expect(part).toContain('admin, billing')
    }
  },
)

test.each([
  ['en', ['Receipt: ENGINES-000012', 'Date: November 22, 2026', 'Pro: $1,900.00', 'Discount: −$380.00', 'Tax: $10.00']],
  ['de', ['Beleg: ENGINES-000012', 'Datum: 22. November 2026', 'Pro: 1.900,00 $', 'Rabatt: −380,00 $']],
] as const)('a receipt in %s lists the purchase line by line, and marks a test', (locale, lines) => {
  const { html, text } = renderMail('receipt', data.receipt, locale, sender)
  const plain = (part: string) => part.replace(/[\u00a0\u202f]/g, ' ')

  for (const line of lines) {
    expect(plain(text)).toContain(`${line}\n`)
    for (const part of line.split(': ')) expect(plain(visibleText(html))).toContain(part)
  }
  expect(plain(text)).toMatch(locale === 'en' ? /Total: \$1,530\.00 USD\n/ : /Gesamt: 1\.530,00 \$ USD\n/)
  expect(text).toContain(languages[locale].ledger.testMode)
  expect(renderMail('receipt', { ...data.receipt, isTest: false }, locale, sender).text).not.toMatch(/test/i)
})

test.each(mailLocales)(
  'in %s mails name the endpoint that was switched off and why, the returned amount, and the deadline',
  (locale) => {
    const said = <Name extends MailTemplate>(template: Name, changes: Partial<MailData[Name]> = {}) =>
      renderMail(template, { ...data[template], ...changes }, locale, sender).text.replace(/[\u00a0\u202f]/g, ' ')
    const day = (at: string) =>
      new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
        .format(new Date(at))
        .replace(/[\u00a0\u202f]/g, ' ')

    expect(said('webhook-disabled')).toContain('Books (hooks. example. net)')
    expect(said('webhook-disabled')).toContain(day('2026-11-22T04:18:00.000Z'))
    expect(said('webhook-disabled', { reason: 'gone', endpointName: null })).toMatch(/ hooks\. example\. net .*410/)
    expect(said('refund')).toMatch(/1[., {2}]?530[.,]00/)
    expect(said('refund')).toMatch(/2[., {2}]?000[.,]00/)
    expect(said('money-to-check')).toContain(`${languages[locale].ledger.reference}: pi_3QwErTy`)
    expect(said('money-to-check')).toMatch(/1[., {2}]?530[.,]00/)
    expect(said('money-to-check', { expected: null })).not.toContain(`${languages[locale].ledger.expected}:`)
    for (const template of ['dispute', 'inquiry', 'dispute-to-answer'] as const) {
      expect(said(template)).toContain(day('2026-11-29T04:18:00.000Z'))
      expect(said(template)).toContain('ENGINES-000012')
      expect(said(template, { answerUntil: null })).not.toContain(languages[locale].ledger.answerUntil)
    }
    expect(said('receipt', { documentKind: 'invoice' })).toContain(
      `${languages[locale].ledger.invoice}: ENGINES-000012`,
    )
  },
)

test('a receipt names each tax in its language, and states where the buyer owes it', () => {
  const taxes = [
    { name: 'VAT', percent: '19', amount: 361 },
    { name: 'QST', percent: '9.975', amount: 190 },
    // A tax provider chooses the name; this one is a member of every object.
    { name: 'valueOf', percent: '1', amount: 19 },
  ]

  const taxed = renderMail('receipt', { ...data.receipt, taxes }, 'de', sender).text.replace(/[\u00a0\u202f]/g, ' ')
  const reverse = renderMail('receipt', { ...data.receipt, isReverseCharge: true }, 'de', sender).text

  expect(taxed).toContain('MwSt. 19 %: 3,61 $\nQST 9,975 %: 1,90 $\nvalueOf 1 %: 0,19 $\n')
  expect(taxed).not.toContain('Steuer')
  expect(reverse).toContain('Steuerschuldnerschaft des Leistungsempfängers')
})

test.each([
  ['en', ['Credit note: ENGINES-CN-000003', 'Date: November 23, 2026', 'Pro: $1,520.00', 'Refunded: $1,530.00 USD']],
  ['uk', ['Кредит-нота: ENGINES-CN-000003', 'Дата: 23 листопада 2026 р.', 'Pro: 1 520,00 $']],
] as const)('a refund in %s shows the refunded amount', (locale, lines) => {
  const text = renderMail('refund', data.refund, locale, sender).text.replace(/[\u00a0\u202f]/g, ' ')

  for (const line of lines) expect(text).toContain(`${line}\n`)
})

test.each([
  ['Charles', null, 'Charles invites you'],
  ['', 'charles@example.org', 'charles@example.org invites you'],
  ['@', null, 'Analytical Engines invites you'],
])('a user with name %j and address %j is introduced as: %s', (inviterName, inviterEmail, words) => {
  const { text } = renderMail('invitation', { ...data.invitation, inviterName, inviterEmail }, 'en', sender)

  expect(text).toContain(`\n${words}`)
})

test.each(mailLocales)(
  'the code of a mail stands on a line of its own in %s, and in neither subject nor preview',
  (locale) => {
    const { subject, html, text } = renderMail('magic-link', data['magic-link'], locale, sender)

    expect(text).toMatch(/:\n402817\n/)
    expect(html.match(/402817/g)).toHaveLength(1)
    expect(html).toMatch(/<p class="code"[^>]*>402817<\/p>/)
    expect(subject).not.toContain('402817')
  },
)

test('an application named like an address keeps its name in the subject and is no link in the text', () => {
  const { subject, text } = renderMail('reset-password', data['reset-password'], 'en', {
    ...sender,
    appName: 'Acme.io',
  })

  expect(subject).toBe('Reset your Acme.io password')
  expect(text).not.toContain('Acme.io')
  expect(text.replaceAll('\u2060', '')).toContain('Acme.io')
})

test.each([
  [60, 'en', 'valid for 1 hour.'],
  [1440, 'en', 'valid for 24 hours.'],
  [90, 'en', 'valid for 1 hour, 30 minutes.'],
  [10_080, 'en', 'valid for 7 days.'],
  [0.5, 'en', 'valid for 1 minute.'],
  [1440, 'de', 'Gültigkeit: 24 Stunden.'],
  [5, 'pl', 'Czas ważności: 5 minut.'],
  [120, 'ru', 'Срок действия: 2 часа.'],
  [300, 'uk', 'Термін дії: 5 годин.'],
] as const)('%d minutes in %s: %s', (expiresInMinutes, locale, sentence) => {
  const { text } = renderMail('reset-password', { ...data['reset-password'], expiresInMinutes }, locale, sender)

  expect(text).toContain(sentence)
})

test.each([
  'https://evil.example/verify',
  'javascript:alert(1)',
  '//evil.example',
  'https://accounts.acme.example@evil.example/',
  'https://user@accounts.acme.example/',
  'https://accounts.acme.example/"onclick="x',
  'https://accounts.acme.example/a b',
  'http://accounts.acme.example/',
])('a link that is not our own is a fault, not a mail: %s', (foreign) => {
  expect(() => renderMail('verify-email', { ...data['verify-email'], url: foreign }, 'en', sender)).toThrow('base URL')
})

test.each([
  ['/pictures/abc', `${baseURL}/pictures/abc`],
  ['https://cdn.example/a"b.png', 'https://cdn.example/a%22b.png'],
  ['http://[broken', undefined],
  ['javascript:alert(1)', undefined],
])('the logo %s of a brand is loaded from %s', (logo, address) => {
  const { html } = renderMail('reset-password', data['reset-password'], 'en', {
    ...sender,
    brand: { ...usualBrand, logo },
  })

  expect(/<img [^>]*src="([^"]*)"/.exec(html)?.[1]).toBe(address)
})

test('a mail to a buyer is headed by the seller, and by the application where the name shows nothing', () => {
  const seller = { logo: null, brand: noBrand }
  const headOf = (name: string) =>
    /<p class="brand"[^>]*>(.*?)<\/p>/.exec(
      renderMail('receipt', data.receipt, 'en', sender, { ...seller, name }).html,
    )?.[1]

  expect(headOf('<b>Northwind</b>')).not.toContain('<b>')
  expect([headOf('Northwind'), headOf('\u200b')]).toEqual(['Northwind', 'Acme'])
})

test.each([
  ['/pictures/abc.png', `${baseURL}/pictures/abc.png`],
  [`${baseURL}/pictures/abc.png`, `${baseURL}/pictures/abc.png`],
  ['https://tracker.example/abc.png', undefined],
])('an invitation is headed by its organization, and loads its logo %s only from this server', (logo, address) => {
  const seller = { name: 'Analytical Engines', logo, brand: { ...noBrand, color: '#b3261e' } }

  const { html, text, subject } = renderMail('invitation', data.invitation, 'en', sender, seller)

  expect(/<p class="brand"[^>]*>(?:<img[^>]*>)?(.*?)<\/p>/.exec(html)?.[1]).toBe('Analytical Engines')
  expect(/<img [^>]*src="([^"]*)"/.exec(html)?.[1]).toBe(address)
  expect(html).toContain('background-color:#b3261e')
  expect(text).toContain('Charles Babbage')
  expect(subject).not.toContain('Engines')
})

test('a server that lives under a path mails links under that path', () => {
  const { text } = renderMail('existing-account', { name: 'Ada' }, 'en', { ...sender, baseURL: `${baseURL}/id` })

  expect(addressesIn(text)).toEqual([`${baseURL}/id/sign-in`, `${baseURL}/id/forgot-password`])
})
