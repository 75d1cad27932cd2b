import type { PageData } from '@tollgate/contract/pages'
import { callbackError, format, type Messages } from '@tollgate/react'
import type { PageTexts } from './texts.ts'

const verifyTitles = {
  sent: 'sentTitle',
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
  const marked = refused ? `${texts.error}: ${heading}` : heading
  return marked.includes(data.appName) ? marked : `${marked} · ${data.appName}`
}

function headingOf(data: PageData, messages: Messages, texts: PageTexts): string {
  const { account } = messages
  switch (data.page) {
    case 'sign-in':
      return data.signedInAs
        ? messages.signIn.signedInTitle
        : format(messages.signIn.title, data.locale, { app: data.appName })
    case 'sign-up':
      return data.closed
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
    case 'organization-new':
    case 'accept-invitation':
    case 'join-organization':
      return account.organizations
    default:
      return data.organization.name
  }
}
