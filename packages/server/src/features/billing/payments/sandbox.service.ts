import { type InputIssue, TollgateError } from '../../../foundation/error.ts'
import { inBody, invalid } from '../invalid.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { findDispute } from './sandbox.repository.ts'
import type { CardExpiry } from './sandbox.ts'
import { cardByNumber } from './sandbox-cards.ts'

/**
 * Called by the card form of a test checkout in place of a real processor's script. Turns a test card into a token for
 * one payment within an hour. Accepts only the published test numbers (interface, section 6).
 */
export const createSandboxConfirmationToken: BillingHandler<'createSandboxConfirmationToken'> = async ({
  ctx,
  body,
}) => {
  const { sandbox } = ctx.payments
  if (!sandbox.isOn) throw new TollgateError('RESOURCE_NOT_FOUND')
  const card = cardByNumber(body.number)
  const expiry = readExpiry(body.expiry)
  const issues: InputIssue[] = []
  if (!card) issues.push(inBody('number', 'Input should be one of the test card numbers'))
  if (!expiry) issues.push(inBody('expiry', 'Input should be a month and a year, such as 12/30'))
  else if (isOver(expiry, ctx.clock.now())) issues.push(inBody('expiry', 'The card has expired.'))
  if (!/^\d{3,4}$/.test(body.cvc.trim())) issues.push(inBody('cvc', 'Input should be three or four digits'))
  if (!card || !expiry || issues.length > 0) throw invalid(...issues)
  return { id: await sandbox.createConfirmationToken(card, expiry) }
}

/**
 * The buyer's answer to the simulated 3-D Secure page. The secret is sufficient authorization; a decided intent keeps
 * its state and returns it. The sandbox's event settles the payment, as with every processor.
 */
export const completeSandboxAction: BillingHandler<'completeSandboxAction'> = async ({ ctx, params, body }) => {
  const { intentClientSecret: clientSecret } = params
  const { outcome } = body
  const status = await ctx.payments.sandbox.completeAction(clientSecret, outcome)
  if (!status) throw new TollgateError('RESOURCE_NOT_FOUND')
  return { status }
}

/**
 * Simulates the bank's decision on a dispute, so that sellers can try what follows. The sandbox's event brings the
 * decision, as with every processor. Disputes of real money are not found.
 */
export const decideSandboxDispute: BillingHandler<'decideSandboxDispute'> = async ({ ctx, seller, params, body }) => {
  const { organizationId } = seller
  const { id } = params
  const { outcome } = body
  const { sandbox } = ctx.payments
  const dispute = await findDispute(ctx.db, organizationId, id)
  const isTest = sandbox.isOn && dispute?.processor === sandbox.name
  const status = isTest ? await sandbox.decideDispute(dispute.processorReference, outcome) : undefined
  if (!status) throw new TollgateError('RESOURCE_NOT_FOUND')
  return { status }
}

/** `12/30`, `12 / 2030` or `1230`. */
function readExpiry(text: string): CardExpiry | undefined {
  const [, month, year] = /^(\d{2})\s*\/?\s*(\d{2}|\d{4})$/.exec(text.trim()) ?? []
  if (month === undefined || year === undefined || Number(month) < 1 || Number(month) > 12) return undefined
  return { month: Number(month), year: year.length === 2 ? 2000 + Number(year) : Number(year) }
}

/** A card is valid until its month ends, in UTC. */
const isOver = ({ month, year }: CardExpiry, now: Date): boolean =>
  year * 12 + month < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1
