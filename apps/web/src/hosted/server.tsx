import type { PageData, PageLocale, RenderedPage } from '@tollgate/contract/pages'
import { createCaptcha, ImpersonationNotice, type Messages, matchesWord, TollgateProvider } from '@tollgate/react'
import * as locales from '@tollgate/react/locales'
import { renderToStaticMarkup } from 'react-dom/server'
import { provideCaptcha } from './captcha-part.ts'
import { clientOf } from './define-page.tsx'
import { Languages } from './languages.tsx'
import { placed } from './page-state.ts'
import { pages } from './pages.tsx'
import { pageTexts } from './texts.ts'

const languages: Readonly<Partial<Record<PageLocale, Messages>>> = { ...locales }

/** The languages that pages can be rendered in. */
export const pageLocales = Object.keys(languages) as PageLocale[]

const messagesOf = (locale: PageLocale): Messages => languages[locale] ?? locales.en

provideCaptcha(createCaptcha)

/** Renders a page; the same function for every page and language. */
export function render(given: PageData): RenderedPage {
  const data: PageData = given.state ? { ...given, state: placed(given.state) } : given
  const messages = messagesOf(data.locale)
  const { impersonation } = data
  const footer = renderToStaticMarkup(
    <Languages
      label={pageTexts[data.locale].languages}
      current={data.locale}
      address={data.address}
      languages={Object.values(languages)}
    />,
  )
  return {
    ...pages[data.page](data, messages),
    lang: messages.meta.locale,
    dir: messages.meta.dir,
    footer,
    ...(impersonation && { banner: bannerOf(data, messages, impersonation) }),
  }
}

/** Stands above every page and needs no script: its button is a form of its own. */
function bannerOf(data: PageData, messages: Messages, impersonation: NonNullable<PageData['impersonation']>): string {
  return renderToStaticMarkup(
    <TollgateProvider
      client={clientOf(data)}
      messages={messages}
      {...(data.scheme && { appearance: { scheme: data.scheme } })}
    >
      <ImpersonationNotice {...impersonation} />
    </TollgateProvider>,
  )
}

/** Whether the text is the word that confirms a deletion, in the page's language. */
export function confirmsDeletion(typed: string, locale: PageLocale): boolean {
  return matchesWord(typed, messagesOf(locale).deleteAccount.word, locale)
}
