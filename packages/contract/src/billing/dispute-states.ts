type Standing = { readonly status: string; readonly evidenceDueBy: Date | string | null }

/**
 * Whether a dispute needs an answer. A chargeback does, and so does an inquiry with a due date, after which the bank
 * takes the money back. An early warning without a date needs none.
 */
export const waitsForAnswer = ({ status, evidenceDueBy }: Standing): boolean =>
  status === 'needs_response' || (status === 'early_warning' && evidenceDueBy !== null)

/** Whether the due date of the answer has passed. */
export const isPastDue = (dispute: Standing & { readonly evidenceDueBy: Date | null }, now: Date): boolean =>
  waitsForAnswer(dispute) && dispute.evidenceDueBy !== null && dispute.evidenceDueBy <= now
