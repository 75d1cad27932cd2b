import { signOut } from '@tollgate/contract/forms'
import { useFormOf } from '../hooks/use-form-of.ts'
import { useMessages, useTollgateContext } from '../provider.tsx'
import { Hidden } from './form-parts.tsx'

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
  const { paths } = useTollgateContext()
  const texts = useMessages('userButton')
  const form = useFormOf(signOut, { state: undefined, leave: onSignedOut })
  return (
    <form {...form.props} action={action ?? paths.signOut}>
      <Hidden form={form.name} />
      <button type="submit" data-tg={className} data-look="quiet" aria-disabled={form.busy || undefined}>
        {form.busy ? texts.signingOut : texts.signOut}
      </button>
    </form>
  )
}
