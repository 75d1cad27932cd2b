import { refundsWords } from './refunds.texts.ts'

const { reasons } = refundsWords.disputes
const isKnown = (reason: string): reason is keyof typeof reasons => Object.hasOwn(reasons, reason)

/** Why a buyer disputes, in words; what a processor has added since is shown as it names it. */
export const reasonText = (reason: string | null): string | null =>
  reason === null ? null : isKnown(reason) ? reasons[reason] : reason.replaceAll('_', ' ')
