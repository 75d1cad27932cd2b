import type { ClientError, InputIssue, Result } from '@tollgate/client'
import { texts } from '../texts.ts'

/** A failed call as an exception, as the query cache expects. */
export class CallError extends Error {
  readonly status: number
  readonly code: string | undefined
  /** The server's validation issues, by member. */
  readonly issues: readonly InputIssue[]
  /** Where the customer pays, if the payment failed because it needs them. */
  readonly paymentUrl: string | undefined
  /** The request's id in the server's log. */
  readonly requestId: string | undefined

  constructor({ status, code, message, statusText, issues = [], paymentUrl, requestId }: ClientError) {
    // Without a code nothing of ours has answered; what stands there then is for developers.
    super(
      code === undefined
        ? texts.failure.noAnswer
        : (refusalText(code, status) ?? message ?? issues[0]?.msg ?? statusText),
    )
    this.status = status
    this.code = code
    this.issues = issues
    this.paymentUrl = paymentUrl
    this.requestId = requestId
  }

  /** Whether the request may have succeeded. */
  get isUnsure(): boolean {
    return this.code === undefined || ownWords.has(this.code) || this.status >= 500
  }
}

/** The server's idempotency errors in words for people. */
const ownWords: ReadonlyMap<string, string> = new Map([
  ['IdempotencyKeyInUse', texts.failure.keyInUse],
  ['IdempotencyAnswerLost', texts.failure.answerLost],
])

const refusals: Readonly<Record<string, string>> = texts.refusals

/** A refusal in the dashboard's language; undefined for one that only the server has words for. */
function refusalText(code: string, status: number): string | undefined {
  const known = ownWords.get(code) ?? (Object.hasOwn(refusals, code) ? refusals[code] : undefined)
  return known ?? (status === 403 && code.startsWith('YOU_ARE_NOT_ALLOWED_TO_') ? refusals.NOT_ALLOWED : undefined)
}

/** A call's answer; throws CallError if it failed. */
export async function answerOf<Data>(call: Promise<Result<Data>>): Promise<Data> {
  const { data, error } = await call
  if (error) throw new CallError(error)
  return data as Data // the result has either an error or data
}

/** Whether the browser knows that it has no connection. */
export const isOffline = (): boolean => navigator.onLine === false

/** Whether a retry may help: not after a refusal, nor without a connection. */
export const mayRetry = (failures: number, error: unknown): boolean =>
  failures < 2 && !isOffline() && !(error instanceof CallError && error.status < 500)
