import { texts } from '../texts.ts'

/** The reason of a dispute in words; a reason unknown to this version keeps its processor's name. */
export function disputeReasonText(reason: string): string {
  const known: Readonly<Record<string, string>> = texts.disputeReasons
  return (Object.hasOwn(known, reason) && known[reason]) || reason.replaceAll('_', ' ')
}
