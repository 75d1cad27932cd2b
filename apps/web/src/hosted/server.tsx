import { createTollgateClient } from '@tollgate/client'
import type { PageData, PageLocale, RenderedPage } from '@tollgate/contract/pages'
import { type Messages, matchesWord, messagesFor, type PageMessages } from '@tollgate/react'
import * as locales from '@tollgate/react/locales'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { type AccountData, AccountPage, accountPages } from './account.page.tsx'
import { type FrontDoorData, FrontDoorPage, frontDoorPages } from './front-door.page.tsx'
import { Languages } from './languages.tsx'
import { placed } from './page-state.ts'
import { type StillData, StillPage } from './still.page.tsx'
import { pageTexts } from './texts.ts'
import { titleOf } from './title.ts'

const languages: Readonly<Partial<Record<PageLocale, Messages>>> = { ...locales }

/** The languages that pages can be rendered in. */
export const pageLocales = Object.keys(languages) as PageLocale[]

const messagesOf = (locale: PageLocale): Messages => languages[locale] ?? locales.en

const isFrontDoor = (data: PageData): data is FrontDoorData => frontDoorPages.some((page) => page === data.page)
const isAccount = (data: PageData): data is AccountData => accountPages.some((page) => page === data.page)

const components = {
  'sign-in': 'SignIn',
  'sign-up': 'SignUp',
  'forgot-password': 'ForgotPassword',
  'reset-password': 'ResetPassword',
  'verify-email': 'VerifyEmail',
} as const satisfies Record<FrontDoorData['page'], string>

/** Renders a page; the same function for every page and language. */
export function render(given: PageData): RenderedPage {
  const data: PageData = given.state ? { ...given, state: placed(given.state) } : given
  const messages = messagesOf(data.locale)
  const texts = pageTexts[data.locale]
  const footer = renderToStaticMarkup(
    <Languages
      label={texts.languages}
      current={data.locale}
      address={data.address}
      languages={Object.values(languages)}
    />,
  )
  const common = { title: titleOf(data, messages, texts), lang: messages.meta.locale, dir: messages.meta.dir, footer }

  if (isFrontDoor(data)) {
    const props = { data, messages: messagesFor(messages, components[data.page]) }
    const html = renderToString(<FrontDoorPage {...props} client={clientOf(data)} />)
    return { ...common, html, style: 'front-door', script: { entry: 'front-door', props } }
  }
  if (isAccount(data)) {
    const props = { data, messages: messagesFor(messages, 'AccountSettings', 'UserButton'), skip: texts.skip }
    const html = renderToString(<AccountPage {...props} client={clientOf(data)} />)
    return { ...common, html, style: 'account', script: { entry: 'account', props } }
  }
  return { ...common, html: stillHtml(data, messages), style: 'front-door' }
}

/** Nothing goes on from it, so it has none of the marks that going on would need. */
function stillHtml(data: StillData, messages: PageMessages): string {
  return renderToStaticMarkup(
    <StillPage data={data} messages={messages} client={clientOf(data)} texts={pageTexts[data.locale]} />,
  )
}

/** While rendering nothing is called; the client only holds the session that is known. */
function clientOf(data: PageData) {
  return createTollgateClient({
    basePath: data.basePath,
    ...('session' in data ? { initialSession: data.session } : {}),
  })
}

/** Whether somebody typed the word that confirms a deletion, in the page's language. */
export function confirmsDeletion(typed: string, locale: PageLocale): boolean {
  return matchesWord(typed, messagesOf(locale).deleteAccount.word, locale)
}
