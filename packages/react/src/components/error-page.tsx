import { ButtonLink } from '../elements/button.tsx'
import { callbackError, callbackErrorText } from '../i18n/error-text.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'

export type ErrorPageProps = {
  /** The `error` parameter of the page's address, shown as text. `Unknown` if it is missing. */
  code?: string
}

/** The target of failed redirects: what happened, what helps, and the code for support. */
export function ErrorPage({ code }: ErrorPageProps) {
  const { paths } = useTollgateContext()
  const texts = useMessages('errorPage')
  const common = useMessages('common')
  const t = useText()
  const known = code ? callbackError(code) : undefined
  const shown = code || texts.unknown
  return (
    <section data-tg="card" aria-labelledby="tg-title">
      <svg data-tg="warning" viewBox="0 0 44 44" width="44" height="44" aria-hidden="true">
        <path data-part="plate" d="M22 4 42 39H2Z" />
        <path data-part="mark" d="M22 17v10M22 32.5v.5" />
      </svg>
      <h1 id="tg-title" data-tg="title" tabIndex={-1}>
        {texts[known?.title ?? 'titleUnknown']}
      </h1>
      <p data-tg="lead">{callbackErrorText(code ?? '', texts)}</p>
      <p data-tg="hint">{t.rich(common.errorCode, { code: <code>{shown}</code> })}</p>
      <div data-tg="form">
        <ButtonLink href={paths.home} look="primary" wide>
          {common.returnToApp}
        </ButtonLink>
        {known?.action === 'signIn' ? (
          <ButtonLink href={paths.signIn} wide>
            {texts.signIn}
          </ButtonLink>
        ) : null}
      </div>
    </section>
  )
}
