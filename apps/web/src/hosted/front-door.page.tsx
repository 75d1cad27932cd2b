import type { TollgateClient } from '@tollgate/client'
import type { PageData } from '@tollgate/contract/pages'
import { type DrawMark, type PageMessages, SignIn, SignUp } from '@tollgate/react'
import { Frame } from './frame.tsx'
import { rememberMethod } from './last-method.ts'

/** The pages that somebody comes in by, and that go on in the browser. */
export const frontDoorPages = ['sign-in', 'sign-up'] as const

export type FrontDoorData = PageData<(typeof frontDoorPages)[number]>

export type FrontDoorProps = {
  data: FrontDoorData
  messages: PageMessages
  client: TollgateClient
  /**
   * The mark of each provider of the page, drawn by the server: the browser is spared the drawings of all the others. Only
   * sent along where they are not in the page yet.
   */
  marks?: Readonly<Record<string, string>>
  /** What the code in the address means. */
  error?: { code: string; text: string }
}

export function FrontDoorPage(props: FrontDoorProps) {
  return (
    <Frame {...props}>
      <Content {...props} />
    </Frame>
  )
}

/** The members that a page's data shares with its component have the same names. */
function Content({ data, marks, error }: FrontDoorProps) {
  const mark: DrawMark = (id) => (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: drawn by our own component, in the bundle for the server
    <span data-tg="mark" data-mark={id} aria-hidden="true" dangerouslySetInnerHTML={{ __html: marks?.[id] ?? '' }} />
  )
  switch (data.page) {
    case 'sign-in':
      return <SignIn {...data} mark={mark} error={error} onMethod={rememberMethod} />
    case 'sign-up':
      return <SignUp {...data} mark={mark} />
  }
}
