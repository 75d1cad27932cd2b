import { type ClientOptions, createEntranceClient, createTollgateClient } from '@tollgate/client'
import type { PageData, PageLocale, RenderedPage } from '@tollgate/contract/pages'
import {
  callbackErrorText,
  createCaptcha,
  ImpersonationNotice,
  type Messages,
  matchesWord,
  messagesFor,
  ProviderMark,
  TollgateProvider,
} from '@tollgate/react'
import * as locales from '@tollgate/react/locales'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { type AccountData, AccountPage, accountPages } from './account.page.tsx'
import { provideCaptcha } from './captcha-part.ts'
import { type CheckoutData, CheckoutPage, checkoutPages } from './checkout.page.tsx'
import { type JoiningData, JoiningPage, joiningPages } from './joining.page.tsx'
import { Languages } from './languages.tsx'
import { type MailDoorData, MailDoorPage, mailDoorPages } from './mail-door.page.tsx'
import { type OrganizationData, OrganizationPage, organizationPages } from './organization.page.tsx'
import { placed } from './page-state.ts'
import { PricingPage } from './pricing.page.tsx'
import type { Marks } from './provider-marks.tsx'
import { SignInPage } from './sign-in.page.tsx'
import { SignUpPage } from './sign-up.page.tsx'
import { type StillData, StillPage } from './still.page.tsx'
import { pageTexts } from './texts.ts'
import { titleOf } from './title.ts'

const languages: Readonly<Partial<Record<PageLocale, Messages>>> = { ...locales }

/** The languages that pages can be rendered in. */
export const pageLocales = Object.keys(languages) as PageLocale[]

const messagesOf = (locale: PageLocale): Messages => languages[locale] ?? locales.en

const isMailDoor = (data: PageData): data is MailDoorData => mailDoorPages.some((page) => page === data.page)
const isOrganization = (data: PageData): data is OrganizationData =>
  organizationPages.some((page) => page === data.page)
const isJoining = (data: PageData): data is JoiningData => joiningPages.some((page) => page === data.page)
const isCheckout = (data: PageData): data is CheckoutData => checkoutPages.some((page) => page === data.page)
const isAccount = (data: PageData): data is AccountData => accountPages.some((page) => page === data.page)

const components = {
  'sign-in': 'SignIn',
  'sign-up': 'SignUp',
  'forgot-password': 'ForgotPassword',
  'reset-password': 'ResetPassword',
  'verify-email': 'VerifyEmail',
  'magic-link-sent': 'MagicLinkSent',
  'accept-invitation': 'AcceptInvitation',
  'join-organization': 'JoinOrganization',
  'organization-unverified': 'OrganizationUnverified',
  checkout: 'Checkout',
  'checkout-confirmation': 'CheckoutReceipt',
} as const satisfies Record<
  (PageData<'sign-in' | 'sign-up'> | MailDoorData | JoiningData | CheckoutData)['page'],
  string
>

provideCaptcha(createCaptcha)

/** Page texts that depend on the server's settings. */
const further = ({ captcha }: PageData) => (captcha ? (['Captcha'] as const) : [])

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
  const { impersonation } = data
  const common = {
    title: titleOf(data, messages, texts),
    lang: messages.meta.locale,
    dir: messages.meta.dir,
    footer,
    ...(impersonation && { banner: bannerOf(data, messages, impersonation) }),
  }
  const error =
    'error' in data && data.error && data.page !== 'reset-password'
      ? { error: { code: data.error, text: callbackErrorText(data.error, messages.errorPage) } }
      : {}

  if (data.page === 'sign-in') {
    const marks = marksOf(data.providers)
    // A signed-in visitor is asked first; the provider buttons and their marks come later.
    const later = data.signedInAs ? { marks } : {}
    const props = { data, messages: messagesFor(messages, components[data.page], ...further(data)), ...later, ...error }
    const html = renderToString(<SignInPage {...props} marks={marks} client={entranceOf(data)} />)
    return { ...common, html, style: 'front-door', script: { entry: 'sign-in', props } }
  }
  if (data.page === 'sign-up') {
    const marks = marksOf(data.providers)
    const later = data.signedInAs ? { marks } : {}
    const props = { data, messages: messagesFor(messages, components[data.page], ...further(data)), ...later }
    const html = renderToString(<SignUpPage {...props} marks={marks} client={entranceOf(data)} />)
    return { ...common, html, style: 'front-door', script: { entry: 'sign-up', props } }
  }
  if (isMailDoor(data)) {
    const props = { data, messages: messagesFor(messages, components[data.page], ...further(data)) }
    const html = renderToString(<MailDoorPage {...props} client={entranceOf(data)} />)
    return { ...common, html, style: 'front-door', script: { entry: 'mail-door', props } }
  }
  if (isJoining(data)) {
    const props = { data, messages: messagesFor(messages, components[data.page], ...further(data)) }
    const html = renderToString(<JoiningPage {...props} client={clientOf(data)} />)
    return { ...common, html, style: 'front-door', script: { entry: 'joining', props } }
  }
  if (isCheckout(data)) {
    const props = { data, messages: messagesFor(messages, components[data.page]) }
    const html = renderToString(<CheckoutPage {...props} client={entranceOf(data)} />)
    return { ...common, html, style: 'checkout', script: { entry: 'checkout', props } }
  }
  if (data.page === 'pricing') {
    const html = renderToStaticMarkup(<PricingPage data={data} messages={messages} client={entranceOf(data)} />)
    return { ...common, html, style: 'pricing' }
  }
  if (isOrganization(data)) {
    const used =
      data.page === 'organization-new'
        ? (['CreateOrganization'] as const)
        : (['OrganizationSettings', 'OrganizationSwitcher'] as const)
    const props = { data, messages: messagesFor(messages, ...used, 'UserButton'), skip: texts.skip }
    const html = renderToString(<OrganizationPage {...props} client={clientOf(data)} />)
    return { ...common, html, style: 'organization', script: { entry: 'organization', props } }
  }
  if (isAccount(data)) {
    const list = data.page === 'account-organizations' ? (['OrganizationList'] as const) : []
    const props = {
      data,
      messages: messagesFor(messages, 'AccountSettings', 'UserButton', ...list, ...further(data)),
      skip: texts.skip,
      ...error,
    }
    const html = renderToString(<AccountPage {...props} client={clientOf(data)} />)
    return { ...common, html, style: 'account', script: { entry: 'account', props } }
  }
  return { ...common, html: stillHtml(data, messages), style: 'front-door' }
}

/** Drawn once for the page; the bundle of the browser holds no drawing of a provider. */
function marksOf(providers: readonly { id: string }[]): Marks {
  return Object.fromEntries(providers.map(({ id }) => [id, renderToStaticMarkup(<ProviderMark id={id} />)]))
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

/** Nothing goes on from it, so it has none of the marks that going on would need. */
function stillHtml(data: StillData, messages: Messages): string {
  return renderToStaticMarkup(
    <StillPage data={data} messages={messages} client={entranceOf(data)} texts={pageTexts[data.locale]} />,
  )
}

/** While rendering nothing is called; the client only holds what is known. */
const clientOf = (data: PageData) => createTollgateClient(known(data))

/** The client that these pages have in the browser, so that a component which needs more of it fails here already. */
const entranceOf = (data: PageData) => createEntranceClient(known(data))

function known(data: PageData): ClientOptions {
  return {
    basePath: data.basePath,
    ...('session' in data ? { initialSession: data.session } : {}),
    ...('organizations' in data ? { initialOrganizations: data.organizations } : {}),
  }
}

/** Whether the text is the word that confirms a deletion, in the page's language. */
export function confirmsDeletion(typed: string, locale: PageLocale): boolean {
  return matchesWord(typed, messagesOf(locale).deleteAccount.word, locale)
}
