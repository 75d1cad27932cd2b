import { socialSignIn } from '@tollgate/contract/forms'
import type { ReactNode } from 'react'
import type { Form } from '../hooks/use-form.ts'
import { type FormOfOptions, useFormOf } from '../hooks/use-form-of.ts'
import { useMessages, useText } from '../provider.tsx'
import { Hidden } from './form-parts.tsx'

/** A provider that the server is set up for; an app that draws the components itself names its own. */
export type Provider = { readonly id: string; readonly name: string }

/** Draws the mark of a provider, e.g. `(id) => <ProviderMark id={id} />`. */
export type DrawMark = (id: string) => ReactNode

/** The form of the providers' buttons; the page is left for the provider by the client. */
export const useProviderForm = (options: FormOfOptions<'signInSocial'>): Form => useFormOf(socialSignIn, options)

type Props = {
  form: Form
  providers: readonly Provider[]
  action: string
  callbackURL: string | undefined
  lastMethod?: string | undefined
  mark: DrawMark | undefined
}

/** So many are seen at once; the others wait behind a button. */
const limit = 6

/** One or two over the whole width, up to six in a grid, more behind "More ways". One form: each button posts its own. */
export function ProviderButtons({ form, providers, action, callbackURL, lastMethod, mark }: Props) {
  const texts = useMessages('providers')
  const t = useText()
  const few = providers.length < 3
  const shown = providers.length > limit ? limit - 1 : providers.length

  const button = ({ id, name }: Provider) => (
    <button
      key={id}
      type="submit"
      name="provider"
      value={id}
      data-tg="button"
      data-look="secondary"
      data-wide
      aria-disabled={form.busy || undefined}
    >
      {mark?.(id)}
      <span>{few ? t(texts.continueWith, { provider: name }) : name}</span>
      {lastMethod === id ? <LastUsed /> : null}
    </button>
  )
  return (
    <form {...form.props} action={action} data-tg="providers" data-few={few || undefined} aria-label={texts.label}>
      <Hidden form={form.name} callbackURL={callbackURL} />
      {providers.slice(0, shown).map(button)}
      {shown < providers.length ? (
        <details data-tg="more">
          <summary data-tg="button">{texts.more}</summary>
          <div data-tg="providers">{providers.slice(shown).map(button)}</div>
        </details>
      ) : null}
    </form>
  )
}

/** The mark of the last used sign-in method. */
export function LastUsed() {
  return <span data-tg="last-used">{useMessages('providers').lastUsed}</span>
}
