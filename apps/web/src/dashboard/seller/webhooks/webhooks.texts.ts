import { filled, number, translated } from '../../language.ts'
import english from '../locales/webhooks/en.json' with { type: 'json' }

const words = translated?.seller.webhooks ?? english

/** The texts of the pages of webhooks. */
export const webhooksWords = {
  ...words.webhooks,
  eventsCount: (count: number) => filled(words.webhooks.eventsCount, { count }),
  waiting: (count: number) => (count === 0 ? words.webhooks.waiting : number.format(count)),
  states: {
    ...words.webhooks.states,
    stuck: (count: number) => filled(words.webhooks.states.stuck, { count }),
  },
}

export const webhookWords = {
  ...words.webhook,
  banner: {
    ...words.webhook.banner,
    missed: (since: string) => filled(words.webhook.banner.missed, { since }),
    stuck: (count: number, since: string) => filled(words.webhook.banner.stuck, { count, since }),
    isFailing: (since: string) => filled(words.webhook.banner.isFailing, { since }),
  },
  health: {
    ...words.webhook.health,
    summary: (succeeded: number, all: number) => {
      if (all > 1) return filled(words.webhook.health.summary, { succeeded, all })
      return succeeded === 1 ? words.webhook.health.onlySucceeded : words.webhook.health.onlyFailed
    },
    median: (ms: string) => filled(words.webhook.health.median, { ms }),
    mark: (type: string, outcome: string, ms: string, ago: string) =>
      filled(words.webhook.health.mark, { type, outcome, ms, ago }),
  },
  outcome: {
    ...words.webhook.outcome,
    ms: (ms: string) => filled(words.webhook.outcome.ms, { ms }),
    seconds: (seconds: string) => filled(words.webhook.outcome.seconds, { seconds }),
  },
  secret: {
    ...words.webhook.secret,
    hidden: (lastFour: string) => `whsec_••••${lastFour}`,
    overlap: (until: string) => filled(words.webhook.secret.overlap, { until }),
  },
  test: {
    ...words.webhook.test,
    done: (type: string) => filled(words.webhook.test.done, { type }),
  },
  replay: {
    ...words.webhook.replay,
    count: (count: number) =>
      count === 0 ? words.webhook.replay.countNone : filled(words.webhook.replay.count, { count }),
    done: (count: number) =>
      count === 0 ? words.webhook.replay.doneNone : filled(words.webhook.replay.done, { count }),
  },
  remove: {
    ...words.webhook.remove,
    title: (name: string) => filled(words.webhook.remove.title, { name }),
    done: (name: string) => filled(words.webhook.remove.done, { name }),
  },
  events: {
    ...words.webhook.events,
    chosen: (count: number, all: number) => filled(words.webhook.events.chosen, { count, all }),
  },
  deliveries: {
    ...words.webhook.deliveries,
    resend: (type: string, at: string) => filled(words.webhook.deliveries.resend, { type, at }),
    resent: (type: string) => filled(words.webhook.deliveries.resent, { type }),
  },
  delivery: {
    ...words.webhook.delivery,
    title: (type: string, attempt: number) => filled(words.webhook.delivery.title, { type, attempt }),
  },
}
