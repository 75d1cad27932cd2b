import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { usualBrand } from '../brand.repository.ts'
import { extractLinks, type InboxMessage, inboxContentSecurityPolicy, inboxScript, renderInbox } from './inbox.page.ts'
import { renderMail } from './templates.ts'

const nonce = 'r4nd0m+/=='
const sender = { appName: 'Acme', baseURL: 'http://localhost:3000', brand: usualBrand }

const inboxMessage = (changes: Partial<InboxMessage> = {}): InboxMessage => {
  const url = 'http://localhost:3000/api/auth/verify-email?token=a.b&callbackURL=%2F'
  const mail = renderMail('verify-email', { name: 'Ada', url, expiresInMinutes: 60 }, 'en', sender)
  return {
    id: 'mail_1',
    to: 'ada@example.com',
    from: 'Acme <no-reply@acme.example>',
    ...mail,
    links: extractLinks(mail.text, mail.html),
    attachments: [],
    createdAt: new Date('2026-11-20T10:00:00Z'),
    ...changes,
  }
}

const frameOf = (page: string) => /<iframe[^>]*srcdoc="([^"]*)"/.exec(page)?.[1] ?? ''

test('the links of our own mails are found once each, the one of the button first', () => {
  const mail = renderMail('existing-account', { name: 'Ada' }, 'ru', sender)

  expect(extractLinks(mail.text, mail.html)).toEqual([
    'http://localhost:3000/sign-in',
    'http://localhost:3000/forgot-password',
  ])
  expect(inboxMessage().links).toEqual(['http://localhost:3000/api/auth/verify-email?token=a.b&callbackURL=%2F'])
})

test.each([
  ['See https://a.example/x?y=1. Bye', '', ['https://a.example/x?y=1']],
  ['(https://a.example/x)', '', ['https://a.example/x']],
  ['https://a.example\nhttps://a.example', '', ['https://a.example']],
  [
    'https://a.example/t',
    '<a class="x" href="https://a.example/h?a=1&amp;b=2">x</a>',
    ['https://a.example/h?a=1&b=2', 'https://a.example/t'],
  ],
  ['', "<a href='https://a.example/&#x26;&#38;'>x</a>", ['https://a.example/&&']],
  ['', '<a href="javascript:alert(1)">x</a><a href="mailto:a@b.c">y</a><a href="/relative">z</a>', []],
  ['javascript:alert(1) http://', '<a href="&#9999999;">x</a>', []],
])('links of %j and %j', (text, html, links) => {
  expect(extractLinks(text, html)).toEqual(links)
})

test('a link survives the way through the mail format', async () => {
  const { html, text } = inboxMessage()
  const raw = `Content-Type: text/html; charset=utf-8\r\n\r\n${html}`
  const parsed = await PostalMime.parse(raw)

  expect(extractLinks(text, parsed.html ?? '')).toEqual(inboxMessage().links)
})

test('an empty inbox explains what appears in it and offers nothing to clear', () => {
  const page = renderInbox([], undefined, nonce)

  expect(page).toContain('No mail yet')
  expect(page).toContain('href="/sign-up"')
  expect(page).not.toContain('Clear inbox')
  expect(page).toContain('data-newest=""')
})

test('the list shows recipient, subject and time of each mail, and marks the open one', () => {
  const second = inboxMessage({ id: 'mail/2 &', to: 'eve@example.com', subject: '' })
  const page = renderInbox([inboxMessage(), second], second, nonce)

  expect(page.match(/<li>\n<a href="\/dev\/inbox\?id=/g)).toHaveLength(2)
  expect(page).toContain('href="/dev/inbox?id=mail%2F2%20%26" aria-current="page"')
  expect(page.match(/ aria-current=/g)).toHaveLength(1)
  expect(page).toContain('(no subject)')
  expect(page).toContain('datetime="2026-11-20T10:00:00.000Z"')
  expect(page).toContain('data-newest="mail_1"')
  expect(page).toContain('<form method="post" action="/dev/inbox/clear">')
})

test('a mail can neither run anything nor leave its frame', () => {
  const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
  const message = inboxMessage({
    id: hostile,
    to: hostile,
    from: hostile,
    subject: hostile,
    text: hostile,
    html: `${hostile}</iframe>`,
    links: ['javascript:alert(1)', 'https://a.example/"><script>'],
  })

  const page = renderInbox([message], message, nonce)

  expect(page.match(/<script/g)).toHaveLength(1)
  expect(page).not.toContain('<img')
  expect(page.match(/<\/iframe>/g)).toHaveLength(1)
  expect(page).not.toContain('href="javascript:')
  expect(page).toMatch(/<iframe[^>]* sandbox="allow-popups allow-popups-to-escape-sandbox"/)
})

test('the page and the mail in it obey the policy: styles only with the nonce, no inline handlers', () => {
  const message = inboxMessage()
  const page = renderInbox([message], message, nonce)
  const frame = frameOf(page).replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))

  for (const markup of [page, frame]) {
    const withoutText = markup.replace(/srcdoc="[^"]*"/, '')
    expect(withoutText.match(/<style(?! nonce=)/)).toBeNull()
    expect(withoutText).not.toMatch(/\sstyle=|\son[a-z]+=|http-equiv/)
  }
  expect(frame).toContain(`<style nonce="${nonce}">`)
  expect(frame).toContain('<base target="_blank">')
  expect(inboxContentSecurityPolicy(nonce)).toContain(`style-src 'nonce-${nonce}'`)
  expect(inboxContentSecurityPolicy(nonce)).not.toContain('unsafe')
})

test('each link of the open mail is an "Open link" that its address describes', () => {
  const message = inboxMessage({ links: ['https://a.example/1?a=1&b=2', 'https://a.example/2'] })
  const page = renderInbox([message], message, nonce)

  expect(page.match(/>Open link<\/a>/g)).toHaveLength(2)
  expect(page).toContain('href="https://a.example/1?a=1&#38;b=2" rel="noreferrer" aria-describedby="link-0"')
  expect(page).toContain('<code id="link-1">https://a.example/2</code>')
})

test('the script is valid and asks only the inbox', () => {
  expect(() => new Function(inboxScript)).not.toThrow()
  expect(inboxScript.match(/fetch\('([^']*)'/)?.[1]).toBe('/dev/inbox/messages')
})
