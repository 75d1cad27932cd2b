import { stopImpersonating } from '@tollgate/contract/forms'
import { useEffect, useState } from 'react'
import { useErrorText } from '../hooks/use-error-text.ts'
import { useFormOf } from '../hooks/use-form-of.ts'
import { useSession } from '../hooks/use-session.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'
import { Hidden, Submit } from './form-parts.tsx'

export type ImpersonationBannerProps = {
  /** Where the form posts without JavaScript. */
  action?: string
  /** Called instead of navigating to the admin area. */
  onStopped?: () => void
}

/** Shows that an administrator impersonates a user, with a way back. Renders nothing in other sessions. */
export function ImpersonationBanner(props: ImpersonationBannerProps) {
  const { data } = useSession()
  if (!data?.session.impersonatedBy) return null
  return <ImpersonationNotice {...props} name={data.user.name || data.user.email} until={data.session.expiresAt} />
}

/** The same from server data. `now` is the server's time; default: the viewer's clock. */
export function ImpersonationNotice({
  name,
  until,
  now,
  action,
  onStopped,
}: ImpersonationBannerProps & { name: string; until: string; now?: string }) {
  const { paths } = useTollgateContext()
  const texts = useMessages('impersonation')
  const t = useText()
  const errorText = useErrorText()
  const minutes = useMinutesLeft(until, now)
  const form = useFormOf(stopImpersonating, { state: undefined, leave: onStopped })
  const { code } = form.state
  return (
    <aside data-tg="impersonation" aria-label={texts.label}>
      <p>
        {t.rich(texts.actingAs, { name: <strong>{name}</strong> })}{' '}
        <span suppressHydrationWarning>{t(texts.endsIn, { count: minutes })}</span>
      </p>
      <form {...form.props} action={action ?? paths.stopImpersonating}>
        <Hidden form={form.name} />
        <Submit form={form} look="secondary" busyLabel={texts.stopping}>
          {texts.stop}
        </Submit>
      </form>
      <p role="alert">{code ? errorText(code, form.state) : null}</p>
    </aside>
  )
}

/** Whole minutes, rounded up, updated every half minute. */
function useMinutesLeft(until: string, now: string | undefined): number {
  const [passed, setPassed] = useState(0)
  useEffect(() => {
    const start = performance.now()
    const timer = setInterval(() => setPassed(performance.now() - start), 30_000)
    return () => clearInterval(timer)
  }, [])
  const start = now ? new Date(now) : new Date()
  const left = new Date(until).getTime() - start.getTime() - (now ? passed : 0)
  return Math.max(0, Math.ceil(left / 60_000))
}
