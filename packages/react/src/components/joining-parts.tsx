import { resendVerification, signOut } from '@tollgate/contract/forms'
import { ButtonLink } from '../elements/button.tsx'
import { Screen } from '../elements/screen.tsx'
import type { FormState } from '../form-state.ts'
import { useFormOf } from '../hooks/use-form-of.ts'
import { withQuery } from '../paths.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'
import { Hidden, Submit, useFormAlert } from './form-parts.tsx'
import { InboxLink } from './inbox-link.tsx'
import { useOrganizationPath } from './organization-parts.tsx'

/** Parts of the pages on which people join an organization: each step that must happen first leads back. */

/** A text and a next step. */
export function Told({
  title,
  text,
  slug,
  organization,
}: {
  title: string
  text?: string
  /** A link to the organization if it is known, otherwise to the list. */
  slug?: string | undefined
  organization?: string | undefined
}) {
  const { paths } = useTollgateContext()
  const texts = useMessages('joinOrganization')
  const t = useText()
  const pathOf = useOrganizationPath()
  return (
    <Screen title={title} text={text}>
      {slug !== undefined && organization !== undefined ? (
        <ButtonLink href={pathOf(slug)} look="primary" wide>
          {t(texts.open, { organization })}
        </ButtonLink>
      ) : (
        <ButtonLink href={paths.organizations} wide>
          {texts.toList}
        </ButtonLink>
      )}
    </Screen>
  )
}

/** Links to sign in or sign up, if open, and back to the page. */
export function WaysIn({ back, signUp }: { back: string; signUp: string | undefined }) {
  const { paths } = useTollgateContext()
  const common = useMessages('common')
  return (
    <div data-tg="form">
      {signUp ? (
        <ButtonLink href={signUp} look="primary" wide>
          {common.createAccount}
        </ButtonLink>
      ) : null}
      <ButtonLink href={withQuery(paths.signIn, { callbackURL: back })} look={signUp ? 'secondary' : 'primary'} wide>
        {common.signIn}
      </ButtonLink>
    </div>
  )
}

/** A button that signs out and leads to the sign-in, which leads back. */
export function UseOtherAccount({ back }: { back: string }) {
  const { paths } = useTollgateContext()
  const texts = useMessages('joinOrganization')
  // The page reloads, because it shows the signed-in user and offers the next step itself.
  const form = useFormOf(signOut, { state: undefined, at: { callbackURL: back } })
  return (
    <form {...form.props} action={paths.signOut} data-tg="form">
      <Hidden form={form.name} callbackURL={back} />
      <Submit form={form} wide busyLabel={texts.signingOut}>
        {texts.useOther}
      </Submit>
    </form>
  )
}

/** Requests the mail that confirms the user's address; its link leads back to the page. */
export function VerifyAddress({
  title,
  text,
  email,
  back,
  state,
  leave,
}: {
  title: string
  text: string
  email: string
  back: string
  state: FormState | undefined
  /** The alternative to joining. Default: another account. */
  leave?: string
}) {
  const { paths } = useTollgateContext()
  const texts = useMessages('joinOrganization')
  const t = useText()
  const form = useFormOf(resendVerification, { state, at: { callbackURL: back } })
  const alert = useFormAlert(form)
  const sent = form.state.done === 'resent'
  return (
    <Screen title={title} text={text} alert={alert} status={sent ? t(texts.verificationSent, { email }) : undefined}>
      <div data-tg="form">
        {sent ? <InboxLink /> : null}
        <form {...form.props} action={paths.verifyEmail} data-tg="form">
          <Hidden form={form.name} email={email} callbackURL={back} />
          <Submit form={form} look={sent ? 'secondary' : 'primary'} wide busyLabel={texts.sending}>
            {texts.sendVerification}
          </Submit>
        </form>
        {leave === undefined ? (
          <UseOtherAccountLink back={back} />
        ) : (
          <ButtonLink href={leave}>{texts.toList}</ButtonLink>
        )}
      </div>
    </Screen>
  )
}

/** The way to another account, for users who cannot confirm this account's address. */
function UseOtherAccountLink({ back }: { back: string }) {
  const { paths } = useTollgateContext()
  const texts = useMessages('joinOrganization')
  return (
    <p data-tg="hint">
      <a href={withQuery(paths.signIn, { switch: '1', callbackURL: back })}>{texts.useOther}</a>
    </p>
  )
}
