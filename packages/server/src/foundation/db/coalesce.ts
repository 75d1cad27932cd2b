/**
 * Batches single reads into one read of many, with at most `width` batches in flight. A read starts after its request,
 * so it sees every earlier commit. A failed batch fails all its requests.
 */
export function coalesce<Value>(
  read: (keys: readonly string[]) => Promise<Map<string, Value>>,
  width: number,
): (key: string) => Promise<Value | undefined> {
  type Waiting = { readonly key: string; resolve(value: Value | undefined): void; reject(error: unknown): void }
  let waiting: Waiting[] = []
  let underWay = 0
  let isScheduled = false

  async function begin(): Promise<void> {
    isScheduled = false
    const gathered = waiting
    waiting = []
    underWay += 1
    try {
      const values = await read(gathered.map(({ key }) => key))
      for (const { key, resolve } of gathered) resolve(values.get(key))
    } catch (error) {
      for (const { reject } of gathered) reject(error)
    } finally {
      underWay -= 1
      schedule()
    }
  }

  function schedule(): void {
    if (waiting.length === 0 || underWay >= width || isScheduled) return
    isScheduled = true
    // Waits until every request that arrived together has been read.
    setImmediate(begin)
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      schedule()
    })
}
