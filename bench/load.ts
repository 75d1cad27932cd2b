import { text } from 'node:stream/consumers'
import { watchBusy } from './busy.ts'
import { HttpConnection } from './http-connection.ts'
import { counter, type Job, type JobResult, type Stream, type StreamResult } from './job.ts'
import { pause, summarise } from './latencies.ts'

// The load generator: a program of its own, so that it can have a core of its own. Reads a job, answers with figures.

/** Beyond it the run is worthless and the server should be left in peace. */
const mostErrors = 10_000

const job = JSON.parse(await text(process.stdin)) as Job // written by this folder's main program
let sequence = 0
let measuring = false

// Never sleeps: a server that has to wake the other core with each answer would be measured with the cost of that.
let isOver = false
const stayAwake = () => {
  if (!isOver) setImmediate(stayAwake)
}
stayAwake()

const runs = job.streams.map((stream) => startStream(stream))
await pause(job.warmUp.seconds)
for (let more = job.warmUp.atMostSeconds - job.warmUp.seconds; more > 0; more -= 0.1) {
  if (runs.every((run) => run.answered() >= job.warmUp.answers)) break
  await pause(0.1)
}
const busy = watchBusy(job.pid)
const startedAt = performance.now()
measuring = true
await pause(job.seconds)
measuring = false
const seconds = (performance.now() - startedAt) / 1000

const result: JobResult = { streams: runs.map((run) => run.finish(seconds)), busy: busy() }
isOver = true
process.stdout.write(JSON.stringify(result))

type Run = {
  /** Answers so far, those of the warm-up too. */
  answered(): number
  finish(seconds: number): StreamResult
}

function startStream(stream: Stream): Run {
  const connections = Array.from({ length: stream.connections }, () => new HttpConnection(job.port))
  const latencies: number[] = []
  const unique = stream.requests.some((request) => request.includes(counter))
  const statuses: Record<string, number> = {}
  let errors = 0
  let bodyBytes = 0
  let turn = 0
  let answers = 0

  const nextRequest = (): string => {
    const request = stream.requests[turn % stream.requests.length]!
    turn += 1
    if (!unique) return request
    sequence += 1
    return request.replaceAll(counter, String(sequence).padStart(counter.length, '0'))
  }

  const record = (sentAt: number, status: number, length: number): void => {
    // Errors count from the first request on: none is expected during the warm-up either.
    if (status < 200 || status > 299 || length < stream.atLeastBytes) {
      errors += 1
      if (errors > mostErrors) throw new Error(`Gave up after ${errors} errors, the last with status ${status}`)
    }
    answers += 1
    statuses[status] = (statuses[status] ?? 0) + 1
    if (!measuring) return
    latencies.push(performance.now() - sentAt)
    bodyBytes = length
  }

  const stop = stream.perSecond
    ? sendAtRate(connections, stream.perSecond, nextRequest, record)
    : sendInTurn(connections, nextRequest, record, stream.followUp)

  return {
    answered: () => answers,
    finish(elapsed) {
      stop()
      for (const connection of connections) connection.close()
      return { ...summarise(latencies, elapsed), errors, statuses, bodyBytes }
    },
  }
}

type Recorder = (sentAt: number, status: number, bodyBytes: number) => void

/** Closed loop: every connection asks again as soon as it was answered. */
function sendInTurn(
  connections: HttpConnection[],
  nextRequest: () => string,
  record: Recorder,
  followUp?: string,
): () => void {
  let stopped = false
  for (const connection of connections) {
    const ask = (): void => {
      if (stopped) return
      const sentAt = performance.now()
      const finish = (status: number, bodyBytes: number): void => {
        record(sentAt, status, bodyBytes)
        ask()
      }
      connection.send(nextRequest(), (status, bodyBytes, text) => {
        const secret = followUp && /"client_secret":"([^"]+)"/.exec(text())?.[1]
        if (followUp && secret) connection.send(followUp.replace('{secret}', secret), finish)
        else finish(followUp ? 0 : status, bodyBytes)
      })
    }
    ask()
  }
  return () => {
    stopped = true
  }
}

/**
 * Open loop: requests become due at a fixed rate. One that finds every connection waiting for an answer is timed from
 * when it was due, so that a server that stands still is not asked less and thereby looks better.
 */
function sendAtRate(
  connections: HttpConnection[],
  perSecond: number,
  nextRequest: () => string,
  record: Recorder,
): () => void {
  const idle = [...connections]
  const waiting: number[] = []
  const beganAt = performance.now()
  let made = 0

  const send = (connection: HttpConnection, dueAt: number): void => {
    connection.send(nextRequest(), (status, bodyBytes) => {
      record(dueAt, status, bodyBytes)
      const next = waiting.shift()
      if (next === undefined) idle.push(connection)
      else send(connection, next)
    })
  }

  const timer = setInterval(() => {
    const now = performance.now()
    const due = Math.floor(((now - beganAt) * perSecond) / 1000)
    for (; made < due; made += 1) {
      const connection = idle.shift()
      if (connection) send(connection, now)
      else waiting.push(now)
    }
  }, 1)
  return () => clearInterval(timer)
}
