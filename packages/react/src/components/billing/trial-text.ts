import type { CheckoutPublic, Product } from '@tollgate/contract/billing-types'
import { useMessages, useText, useTollgateContext } from '../../provider.tsx'

/** A trial as it is shown: its length, or else its end. */
export type ShownTrial = {
  readonly interval: Product['trialInterval']
  readonly count: number | null
  /** ISO 8601. */
  readonly end: string | null
}

/** The trial of a checkout; a checkout that is only drawn has none. */
export type CheckoutTrial = Partial<
  Pick<CheckoutPublic, 'trialEnd' | 'activeTrialInterval' | 'activeTrialIntervalCount' | 'trialRedeemed'>
>

/** The trial that a checkout begins with, if any: nothing is paid before its end. */
export const trialOf = ({
  trialEnd: end = null,
  activeTrialInterval: interval = null,
  activeTrialIntervalCount: count = null,
}: CheckoutTrial): ShownTrial | undefined => (end === null ? undefined : { interval, count, end })

/** Trials in words. */
export function useTrialTexts() {
  const { locale } = useTollgateContext()
  const texts = useMessages('prices')
  const t = useText()
  const day = (date: string): string =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date))

  /** "14 days free", or "Free until 10 December 2026". */
  function freeText({ interval, count, end }: ShownTrial): string {
    if (!interval || !count) return t(texts.trialUntil, { date: day(end ?? '') })
    const unit = new Intl.NumberFormat(locale, { style: 'unit', unit: interval, unitDisplay: 'long' })
    return t(texts.trialFree, { duration: unit.format(count) })
  }

  /** "14 days free, then $12.00 / month from 10 December 2026". */
  function thenText(trial: ShownTrial, price: string): string {
    const free = freeText(trial)
    return trial.interval && trial.end
      ? t(texts.trialThen, { free, price, date: day(trial.end) })
      : `${free}, ${t(texts.later, { price })}`
  }

  return { freeText, thenText }
}
