import { afterEach, expect, test, vi } from 'vitest'
import { audit as englishAudit } from './admin/texts.ts'
import { language } from './language.ts'
import { texts as english } from './texts.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** The texts as a document in a language loads them. */
async function textsIn(lang: 'de') {
  vi.stubGlobal('document', { documentElement: { lang } })
  vi.stubGlobal('dashboardTexts', undefined)
  vi.resetModules()
  await import(`./locales/${lang}.ts`)
  const [{ texts, plural }, { audit }] = await Promise.all([import('./texts.ts'), import('./admin/texts.ts')])
  return { texts, plural, audit }
}

test('without the script of a language the texts are English', () => {
  expect(language).toBe('en')
  expect([english.shell.users, english.list.sortBy('Created'), englishAudit.shown(2, 1)]).toEqual([
    'Users',
    'Sort by created',
    'Page 2: 1 event',
  ])
})

test('a German document has German texts, numbers and capitals', async () => {
  const { texts, plural, audit } = await textsIn('de')

  expect(texts.shell.users).toBe('Benutzer')
  expect(texts.list.sortBy('Angelegt')).toBe('Sortieren nach: Angelegt')
  expect(texts.pager.range(1, 50, 12_400, 'Benutzer')).toBe('1–50 von 12.400 Benutzer')
  expect(plural(12_400, 'Benutzer', 'Benutzer')).toBe('12.400 Benutzer')
  expect(audit.shown(2, 3)).toBe('Seite 2: 3 Ereignisse')
})

test('a German document names the groups of events and the reasons of disputes in German', async () => {
  await textsIn('de')
  const [{ groupsOf }, { disputeReasonText }] = await Promise.all([
    import('./seller/webhooks/webhook-events.ts'),
    import('./parts/dispute-reason.ts'),
  ])

  expect(groupsOf(['team_member.added', 'order.paid'], '').map(({ title }) => title)).toEqual([
    'Teammitglieder',
    'Bestellungen',
  ])
  expect([disputeReasonText('duplicate'), disputeReasonText('new_reason'), disputeReasonText('constructor')]).toEqual([
    'Doppelt abgebucht',
    'new reason',
    'constructor',
  ])
})
