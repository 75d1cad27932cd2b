import { after, days, minutes, systemClock } from '../clock.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { lockInOrder } from '../db/lock-order.ts'
import { TollgateError } from '../error.ts'
import { sha256 } from '../token.ts'
import type { Parts } from './api.ts'
import type { Outcome } from './dispatch.ts'

/** How long a retry with the same key gets the stored answer (billing contract, section 1, "Idempotency"). */
const keptFor = days(1)
/** The lease of a run, after which the run counts as dead. Real time: a crashed process does not come back. */
const lease = minutes(2)
/** The longest stored answer, in characters; a retry of a longer one learns that it was lost. */
const answerLimit = 512 * 1024

const keyIssue = {
  loc: ['header', 'Idempotency-Key'],
  msg: 'String should have 1 to 255 characters',
  type: 'value_error',
}

type Keyed = {
  readonly key: string
  /** The key's owner: two callers may choose the same key. */
  readonly who: readonly (string | null)[]
  readonly call: string
  readonly given: Parts
}

/**
 * Runs a request once for its `Idempotency-Key`. For a day, the same request gets the same answer. Another request
 * with the key is refused, and so is a retry during the first run. The transaction of a change also marks the key.
 * After a crash without a change, a retry runs again; after a change, a retry learns that its answer was lost and
 * changes nothing.
 */
export async function answeredOnce(
  ctx: Context,
  { key, who, call, given: { params, query, body } }: Keyed,
  run: (ctx: Context) => Promise<Outcome>,
): Promise<Outcome> {
  if (key.length < 1 || key.length > 255 || key.includes('\0'))
    throw new TollgateError('REQUEST_INVALID', { issues: [keyIssue] })
  const id = sha256(JSON.stringify([...who, key]))
  const requestHash = sha256(JSON.stringify([call, params, query, body ?? null]))
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
        // Background work after the answer is no longer part of the run.
        if (!isUnderWay) return result
        const { numUpdatedRows } = await tx
          .updateTable('idempotencyKey')
          .set({ state: 'changed' })
          .where('key', '=', id)
          .where('leaseUntil', '=', leaseUntil)
          .executeTakeFirst()
        // Another request took the run over after its lease ended: this one must change nothing more.
        if (numUpdatedRows === 0n) throw new TollgateError('IDEMPOTENCY_KEY_IN_USE')
        hasChanged = true
        return result
      }),
  }
  const keep = async (answer: KeptAnswer) => {
    // Sealed, because answers may hold values shown only once, such as a token.
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
    // A refusal after a change, such as a declined card, is stored like any answer. Without a change the key is
    // released, so that the caller may correct the request and reuse it.
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
  readonly result?: Outcome
  readonly refused?: Pick<TollgateError, 'error' | 'values' | 'issues'>
}

/** An answer sealed with a removed SECRET is lost. */
function opened({ secrets }: Context, kept: string): KeptAnswer {
  let text: string
  try {
    text = secrets.open(kept, sealedFor)
  } catch (cause) {
    throw new TollgateError('IDEMPOTENCY_ANSWER_LOST', { cause })
  }
  return JSON.parse(text) // written by `keep`
}

function given({ result, refused }: KeptAnswer): Outcome {
  if (result) return result
  const { error, values, issues } = refused!
  throw new TollgateError(error, { ...(values && { values }), ...(issues && { issues }) })
}

type StoredRun = { readonly id: string; readonly requestHash: string; readonly leaseUntil: Date }

/** Acquires the run, or returns the stored answer, still sealed; refuses any other state of the key. */
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
    const row = await lockInOrder(
      tx,
      'idempotencyKey',
      run.id,
      tx.selectFrom('idempotencyKey').selectAll().where('key', '=', run.id),
    ).executeTakeFirstOrThrow()
    if (row.requestHash !== run.requestHash) throw new TollgateError('IDEMPOTENCY_KEY_REUSED')
    if (row.state === 'answered' && row.answerBody !== null) return row.answerBody
    const isUnderWay = row.leaseUntil !== null && row.leaseUntil > systemClock.now()
    if (isUnderWay) throw new TollgateError('IDEMPOTENCY_KEY_IN_USE')
    if (row.state !== 'pending') throw new TollgateError('IDEMPOTENCY_ANSWER_LOST')
    await tx.updateTable('idempotencyKey').set({ leaseUntil: run.leaseUntil }).where('key', '=', run.id).execute()
    return undefined
  })
}

/** Deletes expired idempotency keys with their answers. */
export async function forgetAnswers(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('idempotencyKey').where('expiresAt', '<=', now).execute()
}
