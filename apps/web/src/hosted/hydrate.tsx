import type { ClientOptions, EntranceClient } from '@tollgate/client'
import type { PageFrame } from '@tollgate/contract/pages'
import type { Answer, SessionAnswer } from '@tollgate/contract/types'
import type { PageMessages } from '@tollgate/react'
import type { ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { captchaOf } from './captcha-part.ts'
import { followTitle } from './follow-title.ts'

/** The data that the server embeds in the page. */
export type PageProps = {
  data: PageFrame & { session?: SessionAnswer; organizations?: Answer<'listOrganizations'> }
  messages: Pick<PageMessages, 'common'>
}

/**
 * Hydrates the server's rendering with the same data. The page's type decides whether it needs the whole client or
 * only its sign-in part, so that sign-in pages load no more.
 */
export function hydratePage<Props extends PageProps, Client extends EntranceClient>(
  createClient: (options: ClientOptions) => Client,
  page: (props: Props & { client: Client }) => ReactNode,
) {
  const props = JSON.parse(document.getElementById('props')?.textContent ?? '') as Props // our server writes it
  const { basePath, session, organizations } = props.data
  const captcha = captchaOf(props.data.captcha)
  const client = createClient({
    basePath,
    ...(captcha ? { captcha: captcha.answer } : {}),
    ...(session ? { initialSession: session } : {}),
    ...(organizations ? { initialOrganizations: organizations } : {}),
  })
  const root = document.getElementById('page')!
  followTitle(root, props.data.appName, props.messages.common.refused)
  hydrateRoot(root, page({ ...props, client }))
}
