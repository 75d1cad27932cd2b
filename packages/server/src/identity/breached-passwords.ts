import { createHash } from 'node:crypto'
import type { Context } from '../context.ts'
import { TollgateError } from '../error.ts'

/** The range search of Have I Been Pwned: it learns five characters of a hash, which hundreds of passwords share. */
const rangeAddress = 'https://api.pwnedpasswords.com/range/'
const timeout = 2000

/**
 * Asks a list of breached passwords, where it is switched on: `refuse` refuses a listed one, `warn` only logs. A list
 * that does not answer in time refuses nobody.
 */
export async function refuseBreachedPassword(ctx: Context, password: string): Promise<void> {
  const { breachedPasswords } = ctx.config.emailAndPassword
  if (breachedPasswords === false || !(await isListed(ctx, password))) return
  if (breachedPasswords === 'refuse') throw new TollgateError('PASSWORD_BREACHED')
  ctx.log.warn('a password was chosen that is on the list of breached passwords')
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
    ctx.log.warn({ err: error }, 'the list of breached passwords could not be asked')
    return false
  }
}
