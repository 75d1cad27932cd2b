import { useHydrated } from '../hooks/use-hydrated.ts'
import { useTollgateContext } from '../provider.tsx'

/**
 * A date in the viewer's language and, once the page runs, in the viewer's zone. The server writes it in UTC;
 * small differences between its language data and the browser's are not worth a warning.
 */
export function DateTime({ at }: { at: string }) {
  const { locale } = useTollgateContext()
  const hydrated = useHydrated()
  const date = new Date(at)
  const text = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(hydrated ? {} : { timeZone: 'UTC' }),
  }).format(date)
  return (
    <time dateTime={date.toISOString()} suppressHydrationWarning>
      {text}
      {/* Without scripts the time is in the server's zone, so the zone is shown. */}
      <noscript> UTC</noscript>
    </time>
  )
}

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** The viewer's own time in ISO form, where no server has told its own. */
export const viewersNow = (): string => new Date().toISOString()

/** "3 days ago", counted from the server's time, which may not be the viewer's. */
export function RelativeTime({ at, now }: { at: string; now: string | undefined }) {
  const { locale } = useTollgateContext()
  const seconds = (new Date(at).getTime() - new Date(now ?? viewersNow()).getTime()) / 1000
  const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? (['minute', 60] as const)
  const text = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.round(seconds / length), unit)
  return (
    <time dateTime={new Date(at).toISOString()} suppressHydrationWarning>
      {text}
    </time>
  )
}
