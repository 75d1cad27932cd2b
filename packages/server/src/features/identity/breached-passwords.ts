import { createHash } from 'node:crypto'
import type { Context } from '../../foundation/context.ts'
import { TollgateError } from '../../foundation/error.ts'

/** The range search of Have I Been Pwned: it learns five characters of a hash, which hundreds of passwords share. */
const rangeAddress = 'https://api.pwnedpasswords.com/range/'
const timeout = 2000

/**
 * Checks a password against the list of breached passwords, if enabled: `refuse` rejects a listed one, `warn` only
 * logs. If the list does not answer in time, the password is accepted.
 */
export async function refuseBreachedPassword(ctx: Context, password: string): Promise<void> {
  const { breachedPasswords } = ctx.config.emailAndPassword
  if (breachedPasswords === false || !(await isListed(ctx, password))) return
  if (breachedPasswords === 'refuse') throw new TollgateError('PASSWORD_BREACHED')
  ctx.log.warn('A user chose a breached password')
}

async function isListed(ctx: Context, password: string): Promise<boolean> {
  const digest = createHash('sha1').update(password).digest('hex').toUpperCase()
  try {
    const answer = await ctx.fetch(`${rangeAddress}${digest.slice(0, 5)}`, {
      signal: AbortSignal.timeout(timeout),
      headers: { 'add-padding': 'true' },
    })
    if (!answer.ok) throw new Error(`answered ${answer.status}`)
    // Padding lines have a count of 0.
    return (await answer.text())
      .split('\n')
      .some((line) => line.startsWith(`${digest.slice(5)}:`) && !line.trimEnd().endsWith(':0'))
  } catch (error) {
    ctx.log.warn({ err: error }, 'The breached-password service is unreachable')
    return false
  }
}
