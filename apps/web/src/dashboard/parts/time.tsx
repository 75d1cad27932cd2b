import { useDashboard } from '../context.ts'
import { language } from '../language.ts'
import { zonedFormat } from '../zone.ts'

/** A day in the viewer's zone, as text. */
export const dayText = zonedFormat({ dateStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** A moment in the viewer's zone, as text. */
export const momentText = zonedFormat({ dateStyle: 'medium', timeStyle: 'short' })

/** "3 days ago", by the server's time. */
export function agoText(at: string, now: number): string {
  const seconds = (Date.parse(at) - now) / 1000
  const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? (['minute', 60] as const)
  return relative.format(Math.round(seconds / length), unit)
}

/** A date with the time as a tooltip. */
export const Day = ({ at }: { at: string }) => (
  <time dateTime={at} title={momentText(at)}>
    {dayText(at)}
  </time>
)

export const Moment = ({ at }: { at: string }) => <time dateTime={at}>{momentText(at)}</time>

export function Ago({ at }: { at: string }) {
  const { now } = useDashboard()
  return (
    <time dateTime={at} title={momentText(at)}>
      {agoText(at, now())}
    </time>
  )
}
