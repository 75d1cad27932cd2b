import type { EntranceClient } from '@tollgate/client'
import type { PageFrame } from '@tollgate/contract/pages'
import { type Appearance, HazardStripe, type PageMessages, TollgateProvider } from '@tollgate/react'
import { type ReactNode, useMemo } from 'react'
import { captchaOf } from './captcha-part.ts'

export type FrameProps = {
  data: PageFrame
  messages: PageMessages
  client: EntranceClient
  /** Content at the top beside the stripe. */
  header?: ReactNode
  className?: string
  /** Content beside the page, such as its navigation. */
  side?: ReactNode
  children: ReactNode
}

const appearanceOf = ({ scheme, logo }: PageFrame): Appearance => ({
  ...(scheme && { scheme }),
  ...(logo !== undefined && { logo: <img src={logo} alt="" data-tg="logo" /> }),
})

/** The frame of every page: provider, development stripe, landmarks. */
export function Frame({ data, messages, client, header, side, className, children }: FrameProps) {
  const captcha = useMemo(() => captchaOf(data.captcha), [data.captcha])
  return (
    <TollgateProvider
      client={client}
      messages={messages}
      appName={data.appName}
      passwordRules={data.passwordRules}
      usernameRules={data.usernameRules}
      appearance={appearanceOf(data)}
      {...(data.inbox ? { inbox: data.inbox } : {})}
      {...(captcha ? { captcha } : {})}
    >
      <div className={className ? `page ${className}` : 'page'}>
        {side}
        <header>
          {data.mode === 'development' ? <HazardStripe /> : null}
          {header}
        </header>
        <main id="content">{children}</main>
      </div>
    </TollgateProvider>
  )
}
