/**
 * Lets those share one read who ask for the same at the same time. It serves only who asked before it began, so that
 * everybody sees each commit from before they asked; whoever asks while one is under way waits for the next, together with
 * all others who do. A failed read fails those it was for, and nobody else.
 */
export function share<Value>(): (key: string, read: () => Promise<Value>) => Promise<Value> {
  const underWay = new Map<string, Promise<unknown>>()
  const waiting = new Map<string, Promise<Value>>()

  async function takeTurn(key: string, read: () => Promise<Value>): Promise<Value> {
    // The one before has its own callers to tell when it fails.
    await Promise.allSettled([underWay.get(key)])
    waiting.delete(key)
    const reading = read()
    underWay.set(key, reading)
    try {
      return await reading
    } finally {
      if (underWay.get(key) === reading) underWay.delete(key)
    }
  }

  return (key, read) => {
    let turn = waiting.get(key)
    if (!turn) {
      turn = takeTurn(key, read)
      waiting.set(key, turn)
    }
    return turn
  }
}
