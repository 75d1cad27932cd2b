import { expect, test } from 'vitest'
import { createTestServer } from '../../testing.ts'
import { preferredLocale } from './caller.ts'

test.each([
  [{}, 'en'],
  [{ 'accept-language': 'de' }, 'de'],
  [{ 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' }, 'de'],
  [{ 'accept-language': 'en;q=0.5, fr;q=0.9' }, 'fr'],
  [{ 'accept-language': 'xx, tr;q=0.3' }, 'tr'],
  [{ 'accept-language': 'ES-mx' }, 'es'],
  [{ 'accept-language': 'pl;q=0' }, 'pl'],
  [{ 'accept-language': 'pl;q=nonsense, ru;q=0.1' }, 'ru'],
  [{ 'accept-language': '*' }, 'en'],
  [{ 'accept-language': ';;;,,,q=1' }, 'en'],
  [{ 'accept-language': `${'x,'.repeat(5000)}de` }, 'en'],
  [{ cookie: 'tollgate_lang=uk', 'accept-language': 'de' }, 'uk'],
  [{ cookie: 'a=b; tollgate_lang=fr; c=d' }, 'fr'],
  [{ cookie: 'tollgate_lang=xx', 'accept-language': 'de' }, 'de'],
  [{ cookie: 'not_tollgate_lang=fr' }, 'en'],
] as [Record<string, string>, string][])('the language of %j is %s', (headers, locale) => {
  expect(preferredLocale(new Headers(headers))).toBe(locale)
})

test('mails are written in the language of the caller', async () => {
  await using server = await createTestServer()
  const german = await server.signedUp('Ada', { headers: { 'accept-language': 'de' } })
  const english = await server.signedUp('Grace')

  const [inGerman] = await server.mailsTo(german.email)
  const [inEnglish] = await server.mailsTo(english.email)

  expect(inGerman!.html).toContain('lang="de"')
  expect(inEnglish!.html).toContain('lang="en"')
  expect(inGerman!.subject).not.toBe(inEnglish!.subject)
})

test('a user agent is kept to a bearable length', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada', { headers: { 'user-agent': 'x'.repeat(5000) } })

  expect((await ada.get('/get-session')).body.session.userAgent).toBe('x'.repeat(512))
})
