import { outcomeOf, useForm } from '../hooks/use-form.ts'
import { withQuery } from '../paths.ts'
import { useMessages, useTollgateContext } from '../provider.tsx'
import { Hidden } from './form-parts.tsx'
import { leaveFor } from './leave.ts'

/** A form with one button that signs out; a post, so that no link or picture can do it. */
export function SignOutForm({
  action,
  onSignedOut,
  className,
}: {
  action?: string
  onSignedOut?: () => void
  /** Which element it looks like. */
  className: 'menu-item' | 'button'
}) {
  const { client, paths } = useTollgateContext()
  const texts = useMessages('userButton')
  const form = useForm({
    name: 'sign-out',
    state: undefined,
    fields: {},
    submit: () =>
      outcomeOf(client.signOut(), [], () => {
        if (onSignedOut) onSignedOut()
        else leaveFor(withQuery(paths.signIn, { done: 'signed-out' }))
        return undefined
      }),
  })
  return (
    <form {...form.props} action={action ?? paths.signOut}>
      <Hidden form={form.name} />
      <button type="submit" data-tg={className} data-look="quiet" aria-disabled={form.busy || undefined}>
        {form.busy ? texts.signingOut : texts.signOut}
      </button>
    </form>
  )
}
