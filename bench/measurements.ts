import type { CaseName } from './cases.ts'
import type { Busy, StreamResult } from './job.ts'
import type { Memory } from './programs.ts'

/** One run of one case against one server. */
export type Measurement = {
  readonly round: number
  readonly server: string
  readonly case: CaseName
  /** The case's name, or `idle` and `storm`; of the hash alone, its kind. */
  readonly run: string
  readonly result: StreamResult
  /** What was sent at the same time: the sign-ins of the storm, the writes. */
  readonly beside: StreamResult | undefined
  readonly busy: Busy | undefined
}

/** Resident memory of a server after all its cases of one round. */
export type MemoryReading = Memory & { readonly round: number; readonly server: string }

/** Everything a run found out; what `--json` writes. */
export type Findings = {
  readonly startedAt: string
  readonly seconds: number
  readonly rounds: number
  readonly machine: Readonly<Record<string, string>>
  readonly versions: Readonly<Record<string, string>>
  readonly durability: { readonly sqlite: string; readonly postgres: string }
  readonly measurements: readonly Measurement[]
  readonly memory: readonly MemoryReading[]
  /** Servers that could not be measured, and why. */
  readonly failures: Readonly<Record<string, string>>
}

/** Other programs took so much of the server's core that the figure says less about the server. */
export const isDisturbed = (busy: Busy): boolean => busy.others > 0.05

/** The middle of several rounds, with the lowest and the highest. */
export type Spread = { readonly median: number; readonly min: number; readonly max: number }

/** Nothing when there are no values. */
export function spreadOf(values: readonly number[]): Spread | undefined {
  if (values.length === 0) return undefined
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const median = (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2
  return { median, min: sorted[0]!, max: sorted.at(-1)! }
}

/** One figure of a server's run over all rounds. */
export function figure(
  findings: Findings,
  server: string,
  run: string,
  pick: (measurement: Measurement) => number | undefined,
): Spread | undefined {
  const values = findings.measurements
    .filter((each) => each.server === server && each.run === run)
    .map(pick)
    .filter((value) => value !== undefined)
  return spreadOf(values)
}
