import { answerOf, CallError } from '../../queries/answer.ts'
import { subscriptionsWords } from './subscriptions.texts.ts'

const { refused, change } = subscriptionsWords

/** Refusals of changes, in the dashboard's language; after `QuoteChanged` the dialog reads the new quote by itself. */
const refusals: ReadonlyMap<string | undefined, string> = new Map([
  ['QuoteChanged', change.quoteChanged],
  ['SubscriptionNotActive', refused.notActive],
  ['AlreadyCanceledSubscription', refused.canceled],
  ['SubscriptionChangePending', refused.pending],
  ['SubscriptionScheduled', refused.scheduled],
  ['SubscriptionEnded', refused.ended],
  ['SubscriptionNotPaused', refused.notPaused],
])

/** The answer of a call that changes a subscription; its refusals are in the dashboard's language. */
export async function changed<Data>(call: Parameters<typeof answerOf<Data>>[0]): Promise<Data> {
  try {
    return await answerOf(call)
  } catch (error) {
    const text = error instanceof CallError ? refusals.get(error.code) : undefined
    throw text === undefined ? error : new Error(text, { cause: error })
  }
}
