import type { EntranceClient } from '@tollgate/client'
import { createContext, createElement, Fragment, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react'
import type { Captcha } from './components/captcha.tsx'
import { format, formatRich, type Message, type Values } from './i18n/format.ts'
import type { MessageGroup, Messages, PageMessages } from './i18n/messages.ts'
import { defaultPaths, type Paths } from './paths.ts'
import type { TokenName } from './tokens/tokens.ts'

/** How long a password may be; shown under the field and checked before anything is sent. */
export type PasswordRules = { readonly min: number; readonly max: number }

/**
 * How long a username may be. It has letters, digits, `_` and `.`, unless the server has a rule of its own (`custom`):
 * then only the server knows it.
 */
export type UsernameRules = { readonly min: number; readonly max: number; readonly custom?: boolean }

export type Appearance = {
  /** Overrides the viewer's system setting. */
  scheme?: 'light' | 'dark'
  /** Takes the place of the gate mark. */
  logo?: ReactNode
  /** Other values for tokens, set when the page runs; a server-rendered page puts them into its own style sheet. */
  variables?: Partial<Record<TokenName, string>>
}

export type TollgateProviderProps = {
  /** What `createTollgateClient` makes; for pages that only sign people in or up, `createEntranceClient` is enough. */
  client: EntranceClient
  /** One language, or the part of it that the page uses (`messagesFor`). */
  messages: PageMessages
  /** BCP 47 tag for numbers and dates, when it is to be finer than the messages' own, e.g. `en-GB`. */
  locale?: string
  /** The name of the application that people sign in to. */
  appName?: string
  paths?: Partial<Paths>
  passwordRules?: PasswordRules
  usernameRules?: UsernameRules
  appearance?: Appearance
  /** Draws the widget of a captcha in the forms that want one; the client needs its `answer`. */
  captcha?: Captcha
  /** Address of the mail inbox in development mode; shown wherever a mail was sent. */
  inbox?: string
  children?: ReactNode
}

type Context = {
  /** What every page has of the client; what needs the rest asks for it with `useTollgate`. */
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

/** Gives the components below it the client, the language and the look. Draws a box-less element around them. */
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
      paths: { ...defaultPaths, ...paths },
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
  // Not a style attribute: those are refused by a strict content security policy in server-rendered pages.
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

/** Everything that the provider was given, with the defaults filled in. */
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

/** Fills a text's placeholders in, for the page's language. */
export function useText() {
  const { locale } = useTollgateContext()
  return useMemo(
    () =>
      Object.assign((message: Message, values?: Values) => format(message, locale, values), {
        /** The same with elements in the places. */
        rich: (message: Message, values: Readonly<Record<string, ReactNode>>) =>
          createElement(Fragment, null, ...formatRich(message, locale, values)),
      }),
    [locale],
  )
}
