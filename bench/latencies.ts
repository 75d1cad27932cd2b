/** Rate and percentiles of what was measured, times in milliseconds. */
export type Summary = {
  readonly requests: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Sums up the latencies of `seconds` of work; sorts them in place. */
export function summarise(latencies: number[], seconds: number): Summary {
  latencies.sort((a, b) => a - b)
  const quantile = (share: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
  return {
    requests: latencies.length,
    perSecond: latencies.length / seconds,
    p50: quantile(0.5),
    p99: quantile(0.99),
    max: quantile(1),
  }
}

/** Waits; the load goes on meanwhile. */
export function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000))
}
