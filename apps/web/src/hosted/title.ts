import type { PageData } from '@tollgate/contract/pages'
import { callbackError, format, type Messages } from '@tollgate/react'
import type { PageTexts } from './texts.ts'

const verifyTitles = {
  sent: 'sentTitle',
  unconfirmed: 'unconfirmedTitle',
  verified: 'verifiedTitle',
  already: 'alreadyTitle',
  expired: 'expiredTitle',
  invalid: 'invalidTitle',
  user_not_found: 'userNotFoundTitle',
  unauthorized: 'unauthorizedTitle',
} as const

/** The title of the browser's tab: what the page's heading says, and whose page it is. */
export function titleOf(data: PageData, messages: Messages, texts: PageTexts): string {
  const heading = headingOf(data, messages, texts)
  const refused = data.state?.code || data.state?.fields
  // Read out first when a form comes back, before anything else of the page.
  const marked = refused ? `${messages.common.refused}: ${heading}` : heading
  return marked.includes(data.appName) ? marked : `${marked} · ${data.appName}`
}

function headingOf(data: PageData, messages: Messages, texts: PageTexts): string {
  const { account } = messages
  switch (data.page) {
    case 'sign-in':
      return data.signedInAs
        ? messages.signedIn.title
        : format(messages.signIn.title, data.locale, { app: data.appName })
    case 'sign-up':
      if (data.signedInAs) return messages.signedIn.title
      return data.closed || data.isSetupOver
        ? messages.signUp.closedTitle
        : format(messages.signUp.title, data.locale, { app: data.appName })
    case 'forgot-password':
      return data.state?.done === 'sent' ? messages.forgotPassword.sentTitle : messages.forgotPassword.title
    case 'reset-password': {
      const { title, doneTitle, invalidTitle } = messages.resetPassword
      if (data.state?.done === 'reset') return doneTitle
      return data.error || !data.token || data.state?.code === 'INVALID_TOKEN' ? invalidTitle : title
    }
    case 'verify-email':
      return messages.verifyEmail[verifyTitles[data.status]]
    case 'magic-link-sent':
      return messages.magicLink.sentTitle
    case 'magic-link':
      return data.status === 'ready'
        ? format(messages.magicLink.confirmTitle, data.locale, { app: data.appName })
        : messages.magicLink[`${data.status}Title`]
    case 'leaving':
      return format(messages.leaving.title, data.locale, { provider: data.provider })
    case 'error':
      return messages.errorPage[(data.code ? callbackError(data.code)?.title : undefined) ?? 'titleUnknown']
    case 'email-changed':
      return messages.emailChange[`${data.status}Title`]
    case 'account-deleted':
      return messages.deleteAccount.deletedTitle
    case 'not-found':
      return texts.notFoundTitle
    case 'failure':
      return texts.failureTitle
    case 'account-profile':
      return account.profile
    case 'account-security':
      return account.security
    case 'account-connections':
      return messages.connections.title
    case 'account-sessions':
      return messages.sessions.title
    case 'account-organizations':
      return account.organizations
    case 'account-delete':
      return data.state?.done === 'delete-mail-sent'
        ? messages.deleteAccount.mailSentTitle
        : messages.deleteAccount.title
    case 'organization-unverified':
      return messages.joinOrganization.verifyTitle
    case 'organization-new':
      return messages.createOrganization[createTitles[data.may]]
    case 'accept-invitation':
      return acceptTitle(data, messages)
    case 'join-organization':
      return joinTitle(data, messages)
    case 'checkout':
      return `${messages.checkout.title}: ${data.checkout.product.name}`
    case 'checkout-closed':
      return messages.checkout[`${data.status}Title`]
    case 'checkout-confirmation':
      if (!data.receipt) return messages.checkout.confirmingTitle
      return data.receipt.totalAmount > 0 ? messages.receipt.title : messages.receipt.titleFree
    case 'pricing': {
      const { products, organization } = data.storefront
      return products.length > 0 ? `${messages.pricing.title} · ${organization.name}` : messages.pricing.nothingTitle
    }
    case 'organization-overview':
      return data.organization.name
    default:
      return `${messages.organization[sections[data.page]]} · ${data.organization.name}`
  }
}

const createTitles = { create: 'title', 'not-allowed': 'notAllowedTitle', limit: 'limitTitle' } as const

const sections = {
  'organization-members': 'members',
  'organization-invitations': 'invitations',
  'organization-teams': 'teams',
  'organization-roles': 'roles',
  'organization-settings': 'settings',
  'organization-audit': 'audit',
  'organization-danger': 'danger',
} as const

function acceptTitle({ status, invitation, locale }: PageData<'accept-invitation'>, messages: Messages): string {
  const texts = messages.joinOrganization
  const organization = invitation?.organizationName
  const named = (text: string, unnamed: string) =>
    organization === undefined ? unnamed : format(text, locale, { organization })
  switch (status) {
    case 'ready':
      return named(texts.title, texts.goneTitle)
    case 'signed-out':
      return named(texts.title, texts.signedOutTitle)
    case 'already-member':
      return named(texts.alreadyTitle, texts.alreadyTitleNoName)
    default:
      return texts[acceptTitles[status]]
  }
}

const acceptTitles = {
  'other-account': 'otherTitle',
  unverified: 'verifyTitle',
  'wants-verified': 'verifyTitle',
  'not-found': 'goneTitle',
  'inviter-gone': 'inviterGoneTitle',
  full: 'fullTitle',
  rejected: 'declinedTitle',
  expired: 'expiredTitle',
  canceled: 'canceledTitle',
  used: 'usedTitle',
} as const

function joinTitle({ status, link, locale }: PageData<'join-organization'>, messages: Messages): string {
  const texts = messages.joinOrganization
  if (!link) return texts.linkGoneTitle
  const organization = link.organizationName
  switch (status) {
    case 'ready':
    case 'signed-out':
      return format(link.requiresApproval ? texts.askTitle : texts.title, locale, { organization })
    case 'already-member':
      return format(texts.alreadyTitle, locale, { organization })
    default:
      return texts[joinTitles[status]]
  }
}

const joinTitles = {
  'not-found': 'linkGoneTitle',
  'other-domain': 'otherDomainTitle',
  'wants-verified': 'verifyTitle',
  requested: 'requestedTitle',
  'not-allowed': 'notAllowedTitle',
  full: 'fullTitle',
} as const
