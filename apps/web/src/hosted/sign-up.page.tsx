import type { EntranceClient } from '@tollgate/client'
import type { PageData } from '@tollgate/contract/pages'
import { type PageMessages, SignUp } from '@tollgate/react'
import { Frame } from './frame.tsx'
import { type Marks, markFrom } from './provider-marks.tsx'

export type SignUpPageProps = {
  data: PageData<'sign-up'>
  messages: PageMessages
  client: EntranceClient
  marks?: Marks
}

/** A page's data and its component use the same names for what they share. */
export function SignUpPage(props: SignUpPageProps) {
  const { data, marks } = props
  return (
    <Frame {...props}>
      <SignUp {...data} mark={markFrom(marks)} />
    </Frame>
  )
}
