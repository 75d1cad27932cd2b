/** Shows the progress of long work on one overwritten line of a terminal; elsewhere nothing. */
export type Progress = { tell(text: string): void; end(): void }

/** Returns to the beginning of the line and clears it. */
const clear = '\r\u001b[K'

export function showProgress(terminal: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr): Progress {
  if (!terminal.isTTY) return { tell: () => {}, end: () => {} }
  return {
    tell: (text) => void terminal.write(clear + text),
    end: () => void terminal.write(clear),
  }
}
