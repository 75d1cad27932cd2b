import { ButtonLink } from '../elements/button.tsx'
import { Screen } from '../elements/screen.tsx'
import { withQuery } from '../paths.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'

/** `changed`: the old address approved, the new one must still confirm. `verified`: it has confirmed. */
export type EmailChangeStatus = 'changed' | 'verified' | 'expired' | 'invalid' | 'unauthorized'

export type ConfirmEmailChangeProps = {
  status: EmailChangeStatus
  /** The new address, if the page knows it. */
  email?: string
}

/** The target of the links in address change mails. */
export function ConfirmEmailChange({ status, email }: ConfirmEmailChangeProps) {
  const { paths } = useTollgateContext()
  const texts = useMessages('emailChange')
  const common = useMessages('common')
  const t = useText()

  if (status === 'changed' || status === 'verified') {
    const text = email ? t(texts[`${status}Text`], { email }) : texts[`${status}TextNoAddress`]
    return (
      <Screen
        title={texts[`${status}Title`]}
        status={text}
        open
        footer={
          <p>
            {texts.notYou} <a href={paths.security}>{texts.changePassword}</a>
          </p>
        }
      >
        <ButtonLink href={paths.account} look="primary" wide>
          {texts.toAccount}
        </ButtonLink>
      </Screen>
    )
  }
  const signIn = status === 'unauthorized'
  return (
    <Screen title={texts[`${status}Title`]} alert={texts[`${status}Text`]}>
      <ButtonLink href={signIn ? withQuery(paths.signIn, { switch: '1' }) : paths.account} look="primary" wide>
        {signIn ? common.signIn : texts.toAccount}
      </ButtonLink>
    </Screen>
  )
}
