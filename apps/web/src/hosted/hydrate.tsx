import type { ClientOptions, EntranceClient, TollgateClient } from '@tollgate/client'
import type { PageFrame } from '@tollgate/contract/pages'
import type { Answer, SessionAnswer } from '@tollgate/contract/types'
import type { ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { captchaOf } from './captcha-part.ts'

/** What the server has put into the page beside its HTML. */
export type PageProps = {
  data: PageFrame & { session?: SessionAnswer; organizations?: Answer<'listOrganizations'> }
}

/** The whole client, or what signing in takes of it: whoever only signs in loads no more than that. */
type CreateClient = (options: ClientOptions) => TollgateClient | EntranceClient

/** Goes on from what the server has rendered, with the same data. */
export function hydratePage<Props extends PageProps>(
  createClient: CreateClient,
  page: (props: Props & { client: TollgateClient }) => ReactNode,
) {
  const props = JSON.parse(document.getElementById('props')?.textContent ?? '') as Props // written by our server
  const { basePath, session, organizations } = props.data
  const captcha = captchaOf(props.data.captcha)
  // Pages that are given the part have no component that calls anything else.
  const client = createClient({
    basePath,
    ...(captcha ? { captcha: captcha.answer } : {}),
    ...(session ? { initialSession: session } : {}),
    ...(organizations ? { initialOrganizations: organizations } : {}),
  }) as TollgateClient
  hydrateRoot(document.getElementById('page')!, page({ ...props, client }))
}
