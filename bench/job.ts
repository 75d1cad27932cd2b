import type { Summary } from './latencies.ts'

/** The load generator's input, as JSON on its standard input. */
export type Job = {
  readonly port: number
  readonly warmUp: WarmUp
  readonly seconds: number
  /** The measured server's process, whose CPU time is read beside the load. */
  readonly pid: number
  readonly streams: readonly Stream[]
}

/** What is sent before anything is measured. */
export type WarmUp = {
  readonly seconds: number
  /** Beyond those seconds, until each stream was answered that often: few requests a second take long to be compiled. */
  readonly answers: number
  readonly atMostSeconds: number
}

/** One kind of request, sent over several connections at once. */
export type Stream = {
  readonly connections: number
  /** A fixed rate, whatever the server does (open loop); without it each connection asks again once answered. */
  readonly perSecond?: number
  /** Whole HTTP requests, taken in turn; `counter` in them is replaced by a number never used before. */
  readonly requests: readonly string[]
  /**
   * A second request for each one, which is timed together with it: `{secret}` in it is the client secret that the first
   * was answered with.
   */
  readonly followUp?: string
  /** A shorter body counts as an error: `null` for a session is answered with status 200 too. */
  readonly atLeastBytes: number
}

/** Stands in a request where each one sent must differ; the number has the same length. */
export const counter = '########'

/** What the load generator saw in the measured time. */
export type StreamResult = Summary & {
  /** Answers other than 2xx, bodies too short, and broken connections. */
  readonly errors: number
  readonly statuses: Readonly<Record<string, number>>
  readonly bodyBytes: number
}

/** Shares of one core, 1 being all of it; undefined where the system does not tell. */
export type Busy = {
  readonly server: number
  readonly loadGenerator: number
  /** What other programs took of the server's core. */
  readonly others: number
}

/** The load generator's answer, as JSON on its standard output. */
export type JobResult = { readonly streams: readonly StreamResult[]; readonly busy: Busy | undefined }
