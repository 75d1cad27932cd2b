import type { EntranceClient } from '@tollgate/client'
import type { PageData } from '@tollgate/contract/pages'
import { type PageMessages, SignIn } from '@tollgate/react'
import { Frame } from './frame.tsx'
import { rememberMethod } from './last-method.ts'
import { type Marks, markFrom } from './provider-marks.tsx'

export type SignInPageProps = {
  data: PageData<'sign-in'>
  messages: PageMessages
  client: EntranceClient
  marks?: Marks
  /** What the code in the address means. */
  error?: { code: string; text: string }
}

/** The members that a page's data shares with its component have the same names. */
export function SignInPage(props: SignInPageProps) {
  const { data, marks, error } = props
  return (
    <Frame {...props}>
      <SignIn {...data} mark={markFrom(marks)} error={error} onMethod={rememberMethod} />
    </Frame>
  )
}
