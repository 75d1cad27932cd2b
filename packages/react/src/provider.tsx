import type { EntranceClient } from '@tollgate/client'
import { createContext, createElement, Fragment, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react'
import type { Captcha } from './components/captcha.tsx'
import { format, formatRich, type Message, type Values } from './i18n/format.ts'
import type { MessageGroup, Messages, PageMessages } from './i18n/messages.ts'
import { defaultPaths, type Paths } from './paths.ts'
import type { TokenName } from './tokens/tokens.ts'

/** Password length limits, shown under the field and checked before sending. */
export type PasswordRules = { readonly min: number; readonly max: number }

/**
 * Username length limits. Usernames have letters, digits, `_` and `.`. With a rule of the server (`custom`) only the
 * server can validate them.
 */
export type UsernameRules = { readonly min: number; readonly max: number; readonly custom?: boolean }

export type Appearance = {
  /** Overrides the viewer's system setting. */
  scheme?: 'light' | 'dark'
  /** Replaces the gate logo. */
  logo?: ReactNode
  /** Token values set at run time; a server-rendered page puts them into its own style sheet. */
  variables?: Partial<Record<TokenName, string>>
}

export type TollgateProviderProps = {
  /**
   * The result of `createTollgateClient`; for pages that only sign users in or up, `createEntranceClient` is enough.
   */
  client: EntranceClient
  /** One language, or the part that the page uses (`messagesFor`). */
  messages: PageMessages
  /** BCP 47 tag for numbers and dates, if it is more specific than the messages', e.g. `en-GB`. */
  locale?: string
  /** The application's name. */
  appName?: string
  paths?: Partial<Paths>
  passwordRules?: PasswordRules
  usernameRules?: UsernameRules
  appearance?: Appearance
  /** Renders the captcha widget in guarded forms; the client needs its `answer`. */
  captcha?: Captcha
  /** The development inbox' address, shown wherever a mail was sent. */
  inbox?: string
  children?: ReactNode
}

type Context = {
  /** The client's part that every page has; `useTollgate` gives the rest. */
  client: EntranceClient
  messages: PageMessages
  locale: string
  appName: string | undefined
  paths: Paths
  passwordRules: PasswordRules
  usernameRules: UsernameRules
  logo: ReactNode
  captcha: Captcha | undefined
  inbox: string | undefined
}

const TollgateContext = createContext<Context | undefined>(undefined)

const defaultRules: PasswordRules = { min: 8, max: 128 }
const defaultUsernameRules: UsernameRules = { min: 3, max: 30 }

/** Provides client, language and look to the components below, in an element without a box. */
export function TollgateProvider(props: TollgateProviderProps) {
  const { client, messages, appName, paths, appearance, captcha, inbox, children } = props
  const { passwordRules = defaultRules, usernameRules = defaultUsernameRules } = props
  const locale = props.locale ?? messages.meta.locale
  const logo = appearance?.logo
  const value = useMemo(
    () => ({
      client,
      messages,
      locale,
      appName,
      // An application that has pages of its own sends its users to their account there.
      paths: { ...defaultPaths, ...(paths?.account && { signedIn: paths.account }), ...paths },
      passwordRules,
      usernameRules,
      logo,
      captcha,
      inbox,
    }),
    [client, messages, locale, appName, paths, passwordRules, usernameRules, logo, captcha, inbox],
  )

  const root = useRef<HTMLDivElement>(null)
  const variables = appearance?.variables
  // Not a style attribute: a strict content security policy refuses it in server-rendered pages.
  useEffect(() => {
    const style = root.current?.style
    for (const [name, text] of Object.entries(variables ?? {})) style?.setProperty(name, text)
    return () => {
      for (const name of Object.keys(variables ?? {})) style?.removeProperty(name)
    }
  }, [variables])

  return (
    <TollgateContext value={value}>
      <div ref={root} data-tg="root" data-scheme={appearance?.scheme} lang={locale} dir={messages.meta.dir}>
        {children}
      </div>
    </TollgateContext>
  )
}

/** The provider's props with defaults. */
export function useTollgateContext(): Context {
  const context = useContext(TollgateContext)
  if (!context) throw new Error('Tollgate components need a <TollgateProvider> above them.')
  return context
}

/** One group of texts in the page's language. */
export function useMessages<Group extends MessageGroup>(group: Group): Messages[Group] {
  const texts = useTollgateContext().messages[group]
  if (!texts) throw new Error(`The messages handed to <TollgateProvider> lack the group "${group}".`)
  return texts as Messages[Group]
}

/** Fills a text's placeholders for the page's language. */
export function useText() {
  const { locale } = useTollgateContext()
  return useMemo(
    () =>
      Object.assign((message: Message, values?: Values) => format(message, locale, values), {
        /** The same with elements as values. */
        rich: (message: Message, values: Readonly<Record<string, ReactNode>>) =>
          createElement(Fragment, null, ...formatRich(message, locale, values)),
      }),
    [locale],
  )
}
