import type { PageData, PageName } from '@tollgate/contract/pages'
import { callbackErrorText, ProviderMark } from '@tollgate/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { AccountPage } from './account.page.tsx'
import { CheckoutPage } from './checkout.page.tsx'
import { clientOf, type DrawPage, definePage, defineStillPage, entranceOf, type Given } from './define-page.tsx'
import { JoiningPage } from './joining.page.tsx'
import { MailDoorPage, mailDoorPages } from './mail-door.page.tsx'
import { OrganizationPage } from './organization.page.tsx'
import { drawnIcons, shownGroups } from './organization-navigation.tsx'
import { PayPage } from './pay.page.tsx'
import { PricingPage } from './pricing.page.tsx'
import { ReceiptPage } from './receipt.page.tsx'
import { SignInPage } from './sign-in.page.tsx'
import { SignUpPage } from './sign-up.page.tsx'
import { StillPage } from './still.page.tsx'
import type { PageTexts } from './texts.ts'

/** Drawn once for the page, because the bundle of the browser holds no drawing of a provider. */
const marked = ({ data }: { data: PageData<'sign-in' | 'sign-up'> }) => ({
  marks: Object.fromEntries(data.providers.map(({ id }) => [id, renderToStaticMarkup(<ProviderMark id={id} />)])),
})

/** A signed-in visitor is asked first. The provider buttons and their marks come later, so the browser gets them too. */
const marksForLater = (given: { data: PageData<'sign-in' | 'sign-up'> }) => (given.data.signedInAs ? marked(given) : {})

/** What the code in the address of a failed redirect means. */
const explained = ({ data, messages }: Given<PageData<'sign-in' | 'account-connections'>>) =>
  data.error ? { error: { code: data.error, text: callbackErrorText(data.error, messages.errorPage) } } : {}

/** The choices of a color scheme besides the current one; without a choice the system's holds, which the server cannot know. */
const schemeLinks = ({ scheme }: PageData, { schemes }: PageTexts) =>
  (['dark', 'light'] as const)
    .filter((other) => other !== scheme)
    .map((other) => ({ scheme: other, label: schemes[other], href: `?scheme=${other}` }))

const account = ['AccountSettings', 'UserButton'] as const
const organization = ['OrganizationSettings', 'OrganizationSwitcher', 'UserButton'] as const

/** Every hosted page: how it is drawn, and what the browser loads for it. */
export const pages: Readonly<Record<PageName, DrawPage>> = {
  ...definePage({
    pages: { 'sign-in': ['SignIn'] },
    style: 'front-door',
    entry: 'sign-in',
    client: entranceOf,
    component: SignInPage,
    props: (given) => ({ ...marksForLater(given), ...explained(given) }),
    drawn: marked,
  }),
  ...definePage({
    pages: { 'sign-up': ['SignUp'] },
    style: 'front-door',
    entry: 'sign-up',
    client: entranceOf,
    component: SignUpPage,
    props: marksForLater,
    drawn: marked,
  }),
  ...definePage({
    pages: mailDoorPages,
    style: 'front-door',
    entry: 'mail-door',
    client: entranceOf,
    component: MailDoorPage,
  }),
  ...definePage({
    pages: {
      'accept-invitation': ['AcceptInvitation'],
      'join-organization': ['JoinOrganization'],
      'organization-unverified': ['OrganizationUnverified'],
    },
    style: 'front-door',
    entry: 'joining',
    client: clientOf,
    component: JoiningPage,
  }),
  ...definePage({
    pages: { checkout: ['Checkout'] },
    style: 'checkout',
    entry: 'checkout',
    client: entranceOf,
    component: CheckoutPage,
    title: (heading, { checkout }) => `${heading}: ${checkout.product.name}`,
  }),
  ...definePage({
    pages: { 'checkout-confirmation': ['CheckoutReceipt'] },
    style: 'checkout',
    entry: 'receipt',
    client: entranceOf,
    component: ReceiptPage,
  }),
  ...definePage({
    pages: { pay: ['PayLink'] },
    style: 'checkout',
    entry: 'pay',
    client: entranceOf,
    component: PayPage,
    title: (heading, { due }) => `${heading}: ${due.description}`,
  }),
  ...definePage({
    pages: {
      'account-profile': account,
      'account-security': account,
      'account-connections': account,
      'account-sessions': account,
      'account-organizations': [...account, 'OrganizationList'],
      'account-delete': account,
    },
    style: 'account',
    entry: 'account',
    client: clientOf,
    component: AccountPage,
    props: ({ data, ...rest }) => ({
      skip: rest.texts.skip,
      menuLinks: schemeLinks(data, rest.texts),
      ...(data.page === 'account-connections' ? explained({ data, ...rest }) : {}),
    }),
  }),
  ...definePage({
    pages: {
      'organization-overview': organization,
      'organization-members': organization,
      'organization-invitations': organization,
      'organization-teams': organization,
      'organization-roles': organization,
      'organization-settings': organization,
      'organization-audit': organization,
      'organization-danger': [...organization, 'EndingPurchases'],
      'organization-new': ['CreateOrganization', 'UserButton'],
    },
    style: 'organization',
    entry: 'organization',
    client: clientOf,
    component: OrganizationPage,
    props: ({ data, texts }) => ({
      texts: {
        skip: texts.skip,
        navigation: texts.navigation,
        openNavigation: texts.openNavigation,
        search: texts.search,
        sandbox: texts.sandbox,
        sandboxMeans: texts.sandboxMeans,
      },
      schemes: schemeLinks(data, texts),
      groups: data.page === 'organization-new' ? [] : shownGroups(data, texts),
    }),
    drawn: ({ data }) => (data.page === 'organization-new' ? {} : { icons: drawnIcons(data) }),
    title: (heading, data) =>
      data.page === 'organization-new' || data.page === 'organization-overview'
        ? heading
        : `${heading} · ${data.organization.name}`,
  }),
  ...defineStillPage({
    pages: ['pricing'],
    style: 'pricing',
    component: PricingPage,
    title: (heading, { storefront: { products, organization } }) =>
      products.length > 0 ? `${heading} · ${organization.name}` : heading,
  }),
  ...defineStillPage({
    pages: [
      'leaving',
      'magic-link',
      'error',
      'email-changed',
      'account-deleted',
      'not-found',
      'failure',
      'checkout-closed',
      'pay-closed',
    ],
    style: 'front-door',
    component: StillPage,
  }),
}
