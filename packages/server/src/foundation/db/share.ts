/**
 * Shares one read between concurrent callers. A read serves only callers from before its start, so each sees every
 * commit before its call. Callers that arrive during a read share the next one. A failed read fails only its own
 * callers.
 */
export function share<Value>(): (key: string, read: () => Promise<Value>) => Promise<Value> {
  const underWay = new Map<string, Promise<unknown>>()
  const waiting = new Map<string, Promise<Value>>()

  async function takeTurn(key: string, read: () => Promise<Value>): Promise<Value> {
    // The previous read reports its failure to its own callers.
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
