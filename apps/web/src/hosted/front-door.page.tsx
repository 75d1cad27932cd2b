import type { TollgateClient } from '@tollgate/client'
import type { PageData } from '@tollgate/contract/pages'
import { ForgotPassword, type PageMessages, ResetPassword, SignIn, SignUp, VerifyEmail } from '@tollgate/react'
import { Frame } from './frame.tsx'

/** The pages that somebody sees who is not signed in, and that go on in the browser. */
export const frontDoorPages = ['sign-in', 'sign-up', 'forgot-password', 'reset-password', 'verify-email'] as const

export type FrontDoorData = PageData<(typeof frontDoorPages)[number]>

export type FrontDoorProps = { data: FrontDoorData; messages: PageMessages; client: TollgateClient }

export function FrontDoorPage(props: FrontDoorProps) {
  return (
    <Frame {...props}>
      <Content {...props.data} />
    </Frame>
  )
}

/** The members that a page's data shares with its component have the same names. */
function Content(data: FrontDoorData) {
  switch (data.page) {
    case 'sign-in':
      return <SignIn {...data} />
    case 'sign-up':
      return <SignUp {...data} />
    case 'forgot-password':
      return <ForgotPassword {...data} />
    case 'reset-password':
      return <ResetPassword {...data} />
    case 'verify-email':
      return <VerifyEmail {...data} />
  }
}
