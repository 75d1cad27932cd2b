/** Says how far long work is, on one line of a terminal that is written over; elsewhere nothing. */
export type Progress = { tell(text: string): void; end(): void }

/** To the beginning of the line, and away with what stands there. */
const clear = '\r\u001b[K'

export function showProgress(terminal: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr): Progress {
  if (!terminal.isTTY) return { tell: () => {}, end: () => {} }
  return {
    tell: (text) => void terminal.write(clear + text),
    end: () => void terminal.write(clear),
  }
}
