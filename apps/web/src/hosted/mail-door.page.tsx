import type { EntranceClient } from '@tollgate/client'
import type { PageData } from '@tollgate/contract/pages'
import { ForgotPassword, MagicLinkSent, type PageMessages, ResetPassword, VerifyEmail } from '@tollgate/react'
import { Frame } from './frame.tsx'

/** The pages before and after a mailed link that hydrate in the browser, each with the components whose texts it loads. */
export const mailDoorPages = {
  'forgot-password': ['ForgotPassword'],
  'reset-password': ['ResetPassword'],
  'verify-email': ['VerifyEmail'],
  'magic-link-sent': ['MagicLinkSent'],
} as const

export type MailDoorData = PageData<keyof typeof mailDoorPages>

export type MailDoorProps = { data: MailDoorData; messages: PageMessages; client: EntranceClient }

export function MailDoorPage(props: MailDoorProps) {
  return (
    <Frame {...props}>
      <Content {...props.data} />
    </Frame>
  )
}

/** A page's data and its component use the same names for what they share. */
function Content(data: MailDoorData) {
  switch (data.page) {
    case 'forgot-password':
      return <ForgotPassword {...data} />
    case 'reset-password':
      return <ResetPassword {...data} />
    case 'verify-email':
      return <VerifyEmail {...data} />
    case 'magic-link-sent':
      return <MagicLinkSent {...data} />
  }
}
