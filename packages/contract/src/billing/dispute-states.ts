type Standing = { readonly status: string; readonly evidenceDueBy: Date | string | null }

/**
 * Whether a dispute waits for an answer: a bank that takes the money back, or one that only asks so far and names a day, after
 * which it takes it. An early warning without a day wants nothing.
 */
export const waitsForAnswer = ({ status, evidenceDueBy }: Standing): boolean =>
  status === 'needs_response' || (status === 'early_warning' && evidenceDueBy !== null)

/** Whether the day is over until which an answer was waited for. */
export const isPastDue = (dispute: Standing & { readonly evidenceDueBy: Date | null }, now: Date): boolean =>
  waitsForAnswer(dispute) && dispute.evidenceDueBy !== null && dispute.evidenceDueBy <= now
