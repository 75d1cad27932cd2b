import type { ClientError, InputIssue, Result } from '@tollgate/client'
import { texts } from '../texts.ts'

/** A call that was refused or got no answer, as the query cache wants to be told: by throwing. */
export class CallError extends Error {
  readonly status: number
  readonly code: string | undefined
  /** All that the server finds wrong with an input, by its members. */
  readonly issues: readonly InputIssue[]
  /** Names the request in the server's log. */
  readonly requestId: string | undefined

  constructor({ status, code, message, statusText, issues = [], requestId }: ClientError) {
    // Without a code nothing of ours has answered; what stands there then is for developers.
    super(code === undefined ? texts.failure.noAnswer : (ownWords.get(code) ?? message ?? issues[0]?.msg ?? statusText))
    this.status = status
    this.code = code
    this.issues = issues
    this.requestId = requestId
  }

  /** Whether what was asked for may have been done all the same. */
  get isUnsure(): boolean {
    return this.code === undefined || ownWords.has(this.code) || this.status >= 500
  }
}

/** What the server tells programs about requests that are sent again, in words for people. */
const ownWords: ReadonlyMap<string, string> = new Map([
  [
    'IdempotencyKeyInUse',
    'This was sent before and is still under way. Look whether it has been done before you send it again.',
  ],
  [
    'IdempotencyAnswerLost',
    'This was sent before and has been done, but the answer was lost. Look at what has become of it.',
  ],
])

/** What a call has answered; throws CallError when it was refused. */
export async function answerOf<Data>(call: Promise<Result<Data>>): Promise<Data> {
  const { data, error } = await call
  if (error) throw new CallError(error)
  return data as Data // the result has either an error or data
}

/** Whether asking again may help: not after a refusal. */
export const mayRetry = (failures: number, error: unknown): boolean =>
  failures < 2 && !(error instanceof CallError && error.status < 500)
