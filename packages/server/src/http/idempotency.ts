import { after, days, minutes, systemClock } from '../clock.ts'
import type { Context } from '../context.ts'
import { TollgateError } from '../error.ts'
import { sha256 } from '../token.ts'
import type { BillingInput, BillingResult } from './billing-dispatch.ts'

/** How long an answer is kept for whoever asks again with the same key (billing contract, section 1, "Idempotency"). */
const keptFor = days(1)
/** How long a run may take before it counts as dead. Real time: a process that died does not come back. */
const lease = minutes(2)
/** Longest answer that is kept, in characters; of a longer one it is told that it was lost. */
const answerLimit = 512 * 1024

const keyIssue = {
  loc: ['header', 'Idempotency-Key'],
  msg: 'String should have 1 to 255 characters',
  type: 'value_error',
}

type Keyed = {
  readonly key: string
  /** Whose key it is: two callers may choose the same one. */
  readonly who: readonly (string | null)[]
  readonly call: string
  readonly body: unknown
  readonly input: Pick<BillingInput, 'params' | 'query'>
}

/**
 * Runs a request once for its `Idempotency-Key`: the same request again gets the same answer for a day, another one with the
 * same key is refused, and so is one while the first is under way. Whether the first has changed anything is written in the
 * transaction of that change; so a process that dies leaves either nothing, and the request runs again, or a change, and then
 * it is told that its answer was lost and never done twice.
 */
export async function answeredOnce(
  ctx: Context,
  { key, who, call, body, input }: Keyed,
  run: (ctx: Context) => Promise<BillingResult>,
): Promise<BillingResult> {
  if (key.length < 1 || key.length > 255 || key.includes('\0'))
    throw new TollgateError('REQUEST_INVALID', { issues: [keyIssue] })
  const id = sha256(JSON.stringify([...who, key]))
  const requestHash = sha256(JSON.stringify([call, input.params ?? null, input.query ?? null, body ?? null]))
  const leaseUntil = after(systemClock.now(), lease)
  const kept = await begin(ctx, { id, requestHash, leaseUntil })
  if (kept !== undefined) return given(opened(ctx, kept))

  let isUnderWay = true
  let hasChanged = false
  const marking: Context = {
    ...ctx,
    transaction: (work) =>
      ctx.transaction(async (tx) => {
        const result = await work(tx)
        // What goes on in the background after the answer is no part of the run any more.
        if (!isUnderWay) return result
        const { numUpdatedRows } = await tx
          .updateTable('idempotencyKey')
          .set({ state: 'changed' })
          .where('key', '=', id)
          .where('leaseUntil', '=', leaseUntil)
          .executeTakeFirst()
        // Somebody else has taken the run over, because this one took too long: it must change nothing any more.
        if (numUpdatedRows === 0n) throw new TollgateError('IDEMPOTENCY_KEY_IN_USE')
        hasChanged = true
        return result
      }),
  }
  const keep = async (answer: KeptAnswer) => {
    // Answers may hold what is told once, such as a token: sealed, as every secret that has to be read again.
    const text = JSON.stringify(answer)
    const answerBody = text.length > answerLimit ? null : ctx.secrets.seal(text, sealedFor)
    await ctx.transaction((tx) =>
      tx
        .updateTable('idempotencyKey')
        .set({ state: 'answered', answerBody, leaseUntil: null })
        .where('key', '=', id)
        .where('leaseUntil', '=', leaseUntil)
        .execute(),
    )
  }
  try {
    const result = await run(marking)
    await keep({ result })
    return result
  } catch (error) {
    // A refusal after a change, such as a declined card, is an answer like any other. Where nothing has happened, whoever
    // mends the request may use the key again.
    if (hasChanged && error instanceof TollgateError)
      await keep({ refused: { error: error.error, values: error.values, issues: error.issues } })
    else if (!hasChanged)
      await ctx.transaction((tx) =>
        tx.deleteFrom('idempotencyKey').where('key', '=', id).where('leaseUntil', '=', leaseUntil).execute(),
      )
    throw error
  } finally {
    isUnderWay = false
  }
}

const sealedFor = 'idempotency'

type KeptAnswer = {
  readonly result?: BillingResult
  readonly refused?: Pick<TollgateError, 'error' | 'values' | 'issues'>
}

/** An answer that was sealed under a SECRET that is configured no more is lost. */
function opened({ secrets }: Context, kept: string): KeptAnswer {
  let text: string
  try {
    text = secrets.open(kept, sealedFor)
  } catch (cause) {
    throw new TollgateError('IDEMPOTENCY_ANSWER_LOST', { cause })
  }
  return JSON.parse(text) as KeptAnswer // written by `keep`
}

function given({ result, refused }: KeptAnswer): BillingResult {
  if (result) return result
  const { error, values, issues } = refused!
  throw new TollgateError(error, { ...(values && { values }), ...(issues && { issues }) })
}

type StoredRun = { readonly id: string; readonly requestHash: string; readonly leaseUntil: Date }

/** Makes the run ours, or gives the answer that is kept, sealed; refuses whatever else there is under the key. */
async function begin(ctx: Context, run: StoredRun): Promise<string | undefined> {
  const now = ctx.clock.now()
  return ctx.transaction(async (tx) => {
    await tx.deleteFrom('idempotencyKey').where('key', '=', run.id).where('expiresAt', '<=', now).execute()
    const inserted = await tx
      .insertInto('idempotencyKey')
      .values({
        key: run.id,
        requestHash: run.requestHash,
        state: 'pending',
        leaseUntil: run.leaseUntil,
        expiresAt: after(now, keptFor),
        createdAt: now,
      })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .returning('key')
      .executeTakeFirst()
    if (inserted) return undefined
    const row = await tx
      .selectFrom('idempotencyKey')
      .selectAll()
      .where('key', '=', run.id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (row.requestHash !== run.requestHash) throw new TollgateError('IDEMPOTENCY_KEY_REUSED')
    if (row.state === 'answered' && row.answerBody !== null) return row.answerBody
    const isUnderWay = row.leaseUntil !== null && row.leaseUntil > systemClock.now()
    if (isUnderWay) throw new TollgateError('IDEMPOTENCY_KEY_IN_USE')
    if (row.state !== 'pending') throw new TollgateError('IDEMPOTENCY_ANSWER_LOST')
    await tx.updateTable('idempotencyKey').set({ leaseUntil: run.leaseUntil }).where('key', '=', run.id).execute()
    return undefined
  })
}
