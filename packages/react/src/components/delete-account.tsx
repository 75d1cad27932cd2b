import { deleteAccount as deleteAccountForm } from '@tollgate/contract/forms'
import { useState } from 'react'
import { Button, ButtonLink } from '../elements/button.tsx'
import { Field, HiddenUsername, PasswordField } from '../elements/field.tsx'
import { Screen } from '../elements/screen.tsx'
import { Skeleton } from '../elements/status.tsx'
import type { FormState } from '../form-state.ts'
import { useFormOf } from '../hooks/use-form-of.ts'
import { useGiven } from '../hooks/use-given.ts'
import { matchesWord } from '../i18n/confirmation-word.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'
import { type DeletionPreview, readDeletionPreview } from './deletion-preview.ts'
import { EndingPurchases } from './ending-purchases.tsx'
import { Hidden, Submit, useFieldProps, useFormAlert } from './form-parts.tsx'
import { InboxLink } from './inbox-link.tsx'
import { leaveFor } from './leave.ts'

export type DeleteAccountProps = {
  /** The account to delete. */
  email: string
  /** Offers the password as an alternative to a mail. */
  hasPassword?: boolean
  /** Further losses to list, each a sentence without a capital and without a full stop. */
  consequences?: readonly string[]
  /**
   * The organizations that only this user owns. Those that block the deletion replace the form; those that end with it
   * are listed among the consequences, and purchases that end below them. Default: the client reads it.
   */
  preview?: DeletionPreview | undefined
  /** Where the form posts without JavaScript. Default: the deletion page. */
  action?: string
  /** `done: 'delete-mail-sent'` shows that the mail with the link was sent. */
  state?: FormState
  /** Called instead of navigating to the final page. */
  onDeleted?: () => void
}

/** Lists the consequences, asks for a typed word, and deletes by password or by mail. */
export function DeleteAccount({
  email,
  hasPassword = true,
  consequences = [],
  preview: given,
  action,
  state,
  onDeleted,
}: DeleteAccountProps) {
  const { paths, locale } = useTollgateContext()
  const texts = useMessages('deleteAccount')
  const t = useText()
  const common = useMessages('common')
  const [done, setDone] = useState(false)
  const { data: preview, failed, retry } = useGiven(given, readDeletionPreview)
  const form = useFormOf(deleteAccountForm, {
    state,
    at: { isDeletionWord: (typed) => matchesWord(typed, texts.word, locale) },
    leave: ({ to }) => {
      setDone(true)
      if (onDeleted) onDeleted()
      else leaveFor(to ?? paths.accountDeleted)
    },
  })
  const field = useFieldProps(form)
  const alert = useFormAlert(form)

  if (form.state.done === 'delete-mail-sent') {
    return (
      <Screen
        title={texts.mailSentTitle}
        status={<span>{t.rich(texts.mailSentText, { email: <strong>{email}</strong> })}</span>}
      >
        <div data-tg="form">
          <InboxLink />
          <ButtonLink href={paths.account} wide>
            {texts.keep}
          </ButtonLink>
        </div>
      </Screen>
    )
  }

  if (!preview) {
    return (
      <Screen title={texts.title} alert={failed ? texts.loadFailed : undefined}>
        {failed ? <Button onClick={retry}>{texts.retry}</Button> : <Skeleton label={common.loading} />}
      </Screen>
    )
  }

  if (preview.blocking.length > 0) {
    return (
      <Screen title={texts.title} text={texts.soleOwned}>
        <ul data-tg="list">
          {preview.blocking.map(({ id, name, slug }) => (
            <li key={id}>
              <a href={`${paths.organization}/${encodeURIComponent(slug)}/danger`}>{name}</a>
            </li>
          ))}
        </ul>
        <ButtonLink href={paths.security} wide>
          {texts.keep}
        </ButtonLink>
      </Screen>
    )
  }

  return (
    <Screen
      title={texts.title}
      text={t.rich(texts.lead, { email: <strong>{email}</strong> })}
      alert={alert}
      status={done ? texts.deletedTitle : undefined}
    >
      <ul data-tg="list">
        {[...texts.consequences, ...consequences].map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {preview.ending.map(({ id, name }) => (
          <li key={id}>{t.rich(texts.organizationEnds, { organization: <strong>{name}</strong> })}</li>
        ))}
      </ul>
      <EndingPurchases purchases={preview.purchases} />
      <form {...form.props} action={action ?? paths.deleteAccount} data-tg="form">
        <Hidden form={form.name} />
        <HiddenUsername email={email} />
        <Field
          {...field('confirmation')}
          label={<span>{t.rich(texts.typeWord, { word: <strong>{texts.word}</strong> })}</span>}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required
        />
        {hasPassword ? (
          <PasswordField
            {...field('password')}
            label={texts.passwordOptional}
            autoComplete="current-password"
            hint={texts.passwordHint}
          />
        ) : (
          <p data-tg="hint">{texts.mailHint}</p>
        )}
        <Submit form={form} look="danger" wide busyLabel={texts.submitting}>
          {texts.submit}
        </Submit>
        <ButtonLink href={paths.security} wide>
          {texts.keep}
        </ButtonLink>
      </form>
    </Screen>
  )
}

/** The final page of a deletion, with a link to start again. */
export function AccountDeleted() {
  const { paths } = useTollgateContext()
  const texts = useMessages('deleteAccount')
  return (
    <Screen title={texts.deletedTitle} status={texts.deletedText}>
      <ButtonLink href={paths.signUp} wide>
        {texts.newAccount}
      </ButtonLink>
    </Screen>
  )
}
