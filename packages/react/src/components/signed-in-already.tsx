import { useEffect, useState } from 'react'
import { ButtonLink } from '../elements/button.tsx'
import { Screen } from '../elements/screen.tsx'
import { withQuery } from '../paths.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'

export type SignedInAs = { name: string; email: string }

/** Whether to ask a signed-in user how to continue; `field` is the form's first field. */
export function useAsked(
  who: SignedInAs | undefined,
  field: string,
): readonly [who: SignedInAs | undefined, () => void] {
  const [wantsForm, setWantsForm] = useState(false)

  // The link that was pressed is gone; the form that took its place begins with its first field.
  useEffect(() => {
    if (wantsForm) document.getElementById(field)?.focus()
  }, [wantsForm, field])

  return [wantsForm ? undefined : who, () => setWantsForm(true)]
}

/** Offers to continue as the signed-in user, or to show the form. */
export function SignedInAlready({
  who,
  path,
  callbackURL,
  other,
  onOther,
}: {
  who: SignedInAs
  /** The page itself. */
  path: string
  callbackURL: string | undefined
  /** Words of the link to the form. */
  other: string
  onOther: () => void
}) {
  const { paths } = useTollgateContext()
  const texts = useMessages('signedIn')
  const t = useText()
  return (
    <Screen title={texts.title} text={t(texts.as, who)}>
      <div data-tg="form">
        <ButtonLink href={callbackURL ?? paths.signedIn} look="primary" wide>
          {t(texts.continueAs, { name: who.name })}
        </ButtonLink>
        {/* A link, so that it works without JavaScript: the page then renders the form. */}
        <a
          href={withQuery(path, { switch: '1', callbackURL })}
          data-tg="button"
          data-look="secondary"
          data-wide
          onClick={(event) => {
            event.preventDefault()
            onOther()
          }}
        >
          {other}
        </a>
      </div>
    </Screen>
  )
}
