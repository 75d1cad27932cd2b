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

/** A page's data and its component use the same names for what they share. */
export function SignInPage(props: SignInPageProps) {
  const { data, marks, error } = props
  return (
    <Frame {...props}>
      <SignIn {...data} mark={markFrom(marks)} error={error} onMethod={rememberMethod} />
    </Frame>
  )
}
