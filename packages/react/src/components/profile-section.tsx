import {
  changeEmail,
  picture as pictureForm,
  pictureRemove,
  profile as profileForm,
  resendVerification,
} from '@tollgate/contract/forms'
import type { User } from '@tollgate/contract/types'
import { useState } from 'react'
import { Field, identityAttributes } from '../elements/field.tsx'
import { Alert } from '../elements/small.tsx'
import { Badge } from '../elements/status.tsx'
import type { FormState } from '../form-state.ts'
import { useErrorText } from '../hooks/use-error-text.ts'
import { useFormOf } from '../hooks/use-form-of.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'
import type { AccountFeatures } from './account-settings.tsx'
import { Hidden, Submit, useFieldProps, useFormAlert } from './form-parts.tsx'
import { InboxLink } from './inbox-link.tsx'
import { PictureForms } from './picture/picture-forms.tsx'
import { isPlaceholder } from './placeholder-address.ts'
import { Panel, SectionFrame } from './section-frame.tsx'
import { UsernameField } from './username-field.tsx'

type Person = User & { username?: string | null; displayUsername?: string | null }

type Props = { user: Person; features: AccountFeatures; state: FormState | undefined }

/** Name, picture, username and address. */
export function ProfileSection({ user: given, features, state }: Props) {
  const { paths } = useTollgateContext()
  const texts = useMessages('account')
  const t = useText()
  // Saved values appear at once, before the session is read again.
  const [saved, setSaved] = useState<Partial<Person>>({})
  const user = { ...given, ...saved }
  const hasAddress = !isPlaceholder(user.email)

  const profile = useFormOf(profileForm, {
    state,
    at: { user },
    fields: ['name', ...(features.username !== false ? ['username', 'displayUsername'] : [])],
    onSend: resetOthers,
    onSuccess: (_, { name = '', username, displayUsername }) =>
      setSaved({
        ...saved,
        name: name.trim(),
        ...(username && {
          username: username.trim().toLowerCase(),
          displayUsername: displayUsername?.trim() || username.trim(),
        }),
      }),
  })

  const picture = useFormOf(pictureForm, {
    state,
    onSend: resetOthers,
    onSuccess: ({ image }, _, form) => {
      form.reset()
      setSaved({ ...saved, image })
    },
  })

  const removal = useFormOf(pictureRemove, {
    state,
    onSend: resetOthers,
    onSuccess: () => setSaved({ ...saved, image: null }),
  })

  const email = useFormOf(changeEmail, {
    state,
    at: { user },
    onSend: resetOthers,
    onSuccess: (_, { newEmail = '' }, form) => {
      form.reset()
      // A verified address changes only after its owner approves by mail.
      if (!user.emailVerified) setSaved({ ...saved, email: newEmail.trim().toLowerCase() })
    },
  })

  const resend = useFormOf(resendVerification, {
    state,
    onSend: resetOthers,
  })

  /** Only the last form that was sent has something to say. */
  function resetOthers() {
    for (const form of [profile, picture, removal, email, resend]) form.reset()
  }

  const pictureAlert = useFormAlert(picture)
  const removalAlert = useFormAlert(removal)
  const profileAlert = useFormAlert(profile)
  const emailAlert = useFormAlert(email)
  const resendAlert = useFormAlert(resend)
  const profileField = useFieldProps(profile)
  const emailField = useFieldProps(email)
  const errorText = useErrorText()
  const done = profile.state.done ?? picture.state.done ?? removal.state.done ?? email.state.done ?? resend.state.done
  const mentioned = email.state.values?.email ?? resend.state.values?.email ?? user.email
  const notices = {
    saved: texts.saved,
    'email-changed': t(texts.emailChanged, { email: mentioned }),
    'email-requested': t(texts.emailRequested, { email: mentioned }),
    resent: t(texts.verificationSent, { email: mentioned }),
  } as Partial<Record<string, string>>
  const canResend = hasAddress && !user.emailVerified && features.verification !== false
  const saysOfMail = done !== undefined && done !== 'saved'

  return (
    <SectionFrame
      title={texts.profile}
      alert={profileAlert ?? pictureAlert ?? removalAlert ?? emailAlert ?? resendAlert}
      status={notices[done ?? '']}
      showsStatus
    >
      {canResend && !saysOfMail ? <Alert tone="warn">{t(texts.confirmByMail, { email: user.email })}</Alert> : null}
      {canResend || saysOfMail ? <InboxLink look="secondary" wide={false} /> : null}
      <div data-tg="panel">
        <PictureForms
          id="picture"
          label={texts.image}
          owner={user.name || user.email}
          image={user.image ?? null}
          upload={picture}
          removal={removal}
          action={paths.account}
          refusalText={errorText}
        />
        <form {...profile.props} action={paths.account} data-tg="form">
          <Hidden form={profile.name} />
          <Field
            {...profileField('name')}
            defaultValue={profileField('name').defaultValue ?? user.name}
            label={texts.name}
            autoComplete="name"
            required
            maxLength={100}
          />
          {features.username !== false ? (
            <>
              <UsernameField
                {...profileField('username')}
                defaultValue={profileField('username').defaultValue ?? user.username ?? ''}
                current={user.username ?? null}
              />
              <Field
                {...profileField('displayUsername')}
                defaultValue={profileField('displayUsername').defaultValue ?? user.displayUsername ?? ''}
                label={texts.displayUsername}
                hint={texts.displayUsernameHint}
                autoComplete="off"
                maxLength={100}
              />
            </>
          ) : null}
          <Submit form={profile} busyLabel={texts.saving}>
            {texts.save}
          </Submit>
        </form>
      </div>

      <Panel title={texts.emailTitle}>
        {hasAddress ? (
          <p data-tg="row">
            <span>{user.email}</span>
            <Badge tone={user.emailVerified ? 'ok' : 'warn'}>
              {user.emailVerified ? texts.verified : texts.unverified}
            </Badge>
          </p>
        ) : (
          <>
            <p data-tg="row">
              <Badge tone="warn">{texts.noAddress}</Badge>
            </p>
            <p>{texts.noAddressText}</p>
          </>
        )}
        {canResend ? (
          <form {...resend.props} action={paths.account}>
            <Hidden form={resend.name} email={user.email} />
            <Submit form={resend} look="secondary">
              {texts.sendVerification}
            </Submit>
          </form>
        ) : null}
        {features.changeEmail !== false ? (
          <form {...email.props} action={paths.account} data-tg="form">
            <Hidden form={email.name} />
            <Field
              {...emailField('newEmail')}
              {...identityAttributes}
              label={hasAddress ? texts.newEmail : texts.firstEmail}
              autoComplete="email"
              hint={
                hasAddress ? (user.emailVerified ? texts.changeEmailHint : texts.changeEmailHintUnverified) : undefined
              }
              required
            />
            <Submit form={email} look="secondary" busyLabel={texts.changingEmail}>
              {hasAddress ? texts.changeEmail : texts.setEmail}
            </Submit>
          </form>
        ) : null}
      </Panel>
    </SectionFrame>
  )
}
