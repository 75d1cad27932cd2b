import { createTollgateClient, type TollgateClient } from '@tollgate/client'
import type { PageFrame } from '@tollgate/contract/pages'
import type { SessionAnswer } from '@tollgate/contract/types'
import type { ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { captchaOf } from './captcha-part.ts'

/** What the server has put into the page beside its HTML. */
export type PageProps = { data: PageFrame & { session?: NonNullable<SessionAnswer> } }

/** Goes on from what the server has rendered, with the same data. */
export function hydratePage<Props extends PageProps>(page: (props: Props & { client: TollgateClient }) => ReactNode) {
  const props = JSON.parse(document.getElementById('props')?.textContent ?? '') as Props // written by our server
  const { basePath, session } = props.data
  const captcha = captchaOf(props.data.captcha)
  const client = createTollgateClient({
    basePath,
    ...(captcha ? { captcha: captcha.answer } : {}),
    ...(session ? { initialSession: session } : {}),
  })
  hydrateRoot(document.getElementById('page')!, page({ ...props, client }))
}
