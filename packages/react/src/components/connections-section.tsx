import { linkAccount, unlinkAccount } from '@tollgate/contract/forms'
import type { Answer } from '@tollgate/contract/types'
import { type ComponentProps, useState } from 'react'
import { Button } from '../elements/button.tsx'
import { HiddenUsername, PasswordField } from '../elements/field.tsx'
import { Skeleton } from '../elements/status.tsx'
import type { FormState } from '../form-state.ts'
import { useErrorText } from '../hooks/use-error-text.ts'
import { doneState } from '../hooks/use-form.ts'
import { useFormOf } from '../hooks/use-form-of.ts'
import { type Read, useGiven } from '../hooks/use-given.ts'
import { useRowFocus } from '../hooks/use-row-focus.ts'
import { withQuery } from '../paths.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'
import { Hidden, Submit, useFieldProps } from './form-parts.tsx'
import type { Provider } from './provider-buttons.tsx'
import { ProviderMark } from './provider-marks.tsx'
import { Panel, SectionFrame } from './section-frame.tsx'
import { DateTime } from './time.tsx'

/** A sign-in method: an account at a provider, or the password, whose provider is `credential`. */
export type Connection = Answer<'listAccounts'>[number]

type Props = {
  email: string
  given: readonly Connection[] | undefined
  providers: readonly Provider[]
  hasPassword: boolean
  mayUnlinkAll: boolean
  /** False: no provider is offered. Default: true. */
  mayLink: boolean | undefined
  /** Why a redirect to this page failed, as a sentence. */
  error: string | undefined
  state: FormState | undefined
}

const readConnections: Read<readonly Connection[]> = (client, signal) => client.listAccounts(undefined, { signal })

/** The user's sign-in methods, and providers that can be added. */
export function ConnectionsSection({ given, providers, mayUnlinkAll, mayLink = true, error, state, ...person }: Props) {
  const texts = useMessages('connections')
  const errorText = useErrorText()
  const { data: accounts, setData: setAccounts, failed, retry } = useGiven(given, readConnections)
  const sent = state?.form === 'link-account' || state?.form === 'unlink-account' ? state : undefined
  const [outcome, setOutcome] = useState<FormState>(sent ?? {})
  /** The account whose removal asks for the password, one at a time. */
  const [asked, setAsked] = useState(sent && asksAgain(sent) ? sent.values?.accountId : undefined)
  const [list, rowGone] = useRowFocus()

  const nameOf = (id: string) => providers.find((provider) => provider.id === id)?.name ?? id
  const isLast = accounts?.length === 1 && !mayUnlinkAll
  const free = providers.filter(({ id }) => !accounts?.some(({ providerId }) => providerId === id))
  const notices = { 'account-linked': texts.linked, 'account-unlinked': texts.unlinked } as Partial<
    Record<string, string>
  >
  // The request for the password appears in the row with the field.
  const refused = outcome.code && outcome.code !== 'SESSION_IS_NOT_FRESH' ? errorText(outcome.code, outcome) : undefined

  function onUnlinked(account: Connection) {
    rowGone(accounts?.indexOf(account) ?? 0)
    setAccounts((known) => known?.filter(({ id }) => id !== account.id))
    setOutcome(doneState('account-unlinked'))
  }

  return (
    <SectionFrame
      title={texts.title}
      text={texts.text}
      alert={failed ? texts.loadFailed : (refused ?? (sent ? undefined : error))}
      status={notices[outcome.done ?? '']}
    >
      <div data-tg="panel">
        {failed ? <Button onClick={retry}>{texts.retry}</Button> : null}
        {!accounts && !failed ? <Skeleton label={texts.loading} /> : null}
        <ul data-tg="rows" ref={list}>
          {accounts?.map((account) => (
            <ConnectionRow
              key={account.id}
              {...person}
              account={account}
              name={account.providerId === 'credential' ? texts.password : nameOf(account.providerId)}
              isLast={isLast}
              asks={asked === account.id}
              onAsk={() => setAsked(account.id)}
              state={sent?.values?.accountId === account.id ? sent : undefined}
              onOutcome={setOutcome}
              onUnlinked={() => onUnlinked(account)}
            />
          ))}
        </ul>
      </div>
      {accounts && mayLink && free.length > 0 ? (
        <LinkPanel {...person} providers={free} state={sent} onOutcome={setOutcome} />
      ) : null}
    </SectionFrame>
  )
}

type RowProps = {
  email: string
  hasPassword: boolean
  account: Connection
  name: string
  isLast: boolean
  /** Whether the session is too old, so that the password is required first. */
  asks: boolean
  onAsk: () => void
  state: FormState | undefined
  onOutcome: (outcome: FormState) => void
  onUnlinked: () => void
}

function ConnectionRow({ account, name, isLast, ...rest }: RowProps) {
  const { paths } = useTollgateContext()
  const texts = useMessages('connections')
  const t = useText()
  const isPassword = account.providerId === 'credential'
  return (
    <li data-tg="session">
      {isPassword ? <KeyIcon /> : <ProviderMark id={account.providerId} />}
      <div>
        <strong>{name}</strong>
        <p data-tg="hint">
          <span>
            {t.rich(isPassword ? texts.setOn : texts.connectedOn, { date: <DateTime at={account.createdAt} /> })}
          </span>
          {account.scopes.length > 0 ? <span>{t(texts.access, { scopes: account.scopes.join(', ') })}</span> : null}
        </p>
        {isLast && !isPassword ? (
          <p data-tg="hint">
            {texts.last} <a href={paths.security}>{texts.setPassword}</a>
          </p>
        ) : null}
      </div>
      {isPassword ? (
        <a href={paths.security} data-tg="button" data-look="secondary">
          {texts.change}
        </a>
      ) : (
        <UnlinkForm {...rest} account={account} name={name} isLast={isLast} />
      )}
    </li>
  )
}

/** The button; for a session that is too old also the password field, or a link to sign in again. */
function UnlinkForm({ email, hasPassword, account, name, isLast, asks, state, ...on }: RowProps) {
  const { paths } = useTollgateContext()
  const texts = useMessages('connections')
  const t = useText()
  const form = useFormOf(unlinkAccount, {
    state,
    onSend: () => !isLast,
    report: (result) => {
      if (result?.fields) return result
      if (result?.done) on.onUnlinked()
      else if (result) {
        if (result.code === 'SESSION_IS_NOT_FRESH') on.onAsk()
        on.onOutcome(result)
      }
      return {}
    },
  })
  const field = useFieldProps(form)

  if (asks && !hasPassword) return <SignInAgain text={t(texts.signInText, { provider: name })} />
  return (
    <form {...form.props} action={paths.connections} data-tg={asks ? 'ask' : undefined}>
      <Hidden form={form.name} accountId={account.id} />
      {asks ? (
        <AskPassword email={email} text={t(texts.passwordText, { provider: name })} field={field('password')} />
      ) : null}
      <Submit
        form={form}
        look={asks ? 'primary' : 'secondary'}
        waiting={isLast}
        busyLabel={texts.unlinking}
        aria-label={form.busy ? undefined : t(texts.unlinkNamed, { provider: name })}
      >
        {texts.unlink}
      </Submit>
    </form>
  )
}

/** Whether the form was refused for an old session or a wrong password. */
const asksAgain = ({ code, fields }: FormState): boolean =>
  code === 'SESSION_IS_NOT_FRESH' || fields?.password !== undefined

type LinkProps = {
  email: string
  hasPassword: boolean
  providers: readonly Provider[]
  state: FormState | undefined
  onOutcome: (outcome: FormState) => void
}

/** A button for each provider. Once the session is too old, the one that was pressed asks for the password first. */
function LinkPanel({ email, hasPassword, providers, state, onOutcome }: LinkProps) {
  const { paths } = useTollgateContext()
  const texts = useMessages('connections')
  const t = useText()
  const [askedId, setAskedId] = useState(state && asksAgain(state) ? state.values?.provider : undefined)
  const asked = providers.find(({ id }) => id === askedId)
  const form = useFormOf(linkAccount, {
    state,
    report: (result, { provider }) => {
      if (!result || result.fields) return result
      if (result.code === 'SESSION_IS_NOT_FRESH') setAskedId(provider)
      onOutcome(result)
      return {}
    },
  })
  const field = useFieldProps(form)

  if (asked && !hasPassword)
    return (
      <Panel title={texts.addTitle}>
        <SignInAgain text={t(texts.linkSignInText, { provider: asked.name })} />
      </Panel>
    )
  return (
    <Panel title={texts.addTitle}>
      <form {...form.props} action={paths.connections} data-tg={asked ? 'ask' : 'providers'}>
        <Hidden form={form.name} {...(asked && { provider: asked.id })} />
        {asked ? (
          <>
            <AskPassword
              email={email}
              text={t(texts.linkPasswordText, { provider: asked.name })}
              field={field('password')}
            />
            <Submit form={form} look="primary" busyLabel={texts.linking}>
              {t(texts.link, { provider: asked.name })}
            </Submit>
          </>
        ) : (
          providers.map(({ id, name }) => (
            <button
              key={id}
              type="submit"
              name="provider"
              value={id}
              data-tg="button"
              data-look="secondary"
              aria-disabled={form.busy || undefined}
            >
              <ProviderMark id={id} />
              <span>{t(texts.link, { provider: name })}</span>
            </button>
          ))
        )}
      </form>
    </Panel>
  )
}

type AskProps = { email: string; text: string; field: Omit<ComponentProps<typeof PasswordField>, 'label'> }

/** The password, which makes an old session fresh. */
function AskPassword({ email, text, field }: AskProps) {
  const texts = useMessages('connections')
  return (
    <>
      <HiddenUsername email={email} />
      <p>{text}</p>
      <PasswordField {...field} label={texts.yourPassword} autoComplete="current-password" required autoFocus />
    </>
  )
}

/** The way to a fresh session for a person without a password. */
function SignInAgain({ text }: { text: string }) {
  const { paths } = useTollgateContext()
  const texts = useMessages('connections')
  return (
    <div data-tg="ask">
      <p>{text}</p>
      <a
        href={withQuery(paths.signIn, { switch: '1', callbackURL: paths.connections })}
        data-tg="button"
        data-look="primary"
      >
        {texts.signInAgain}
      </a>
    </div>
  )
}

function KeyIcon() {
  return (
    <svg data-tg="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d="M14.5 9.5a4 4 0 1 1-4-4 4 4 0 0 1 4 4ZM13.3 12.3 20 19M17 16l2-2" />
    </svg>
  )
}
