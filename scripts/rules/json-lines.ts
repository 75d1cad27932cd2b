/**
 * Tells on which line of a formatted JSON file a key stands, such as `receipt.body.0`: its own line, or that of the nearest
 * parent that has one.
 */
export function placesOf(json: string): (key: string) => number {
  const lines = json.split('\n')
  return (key) => {
    let at = 0
    for (const [depth, member] of key.split('.').entries()) {
      const start = `${'  '.repeat(depth + 1)}${JSON.stringify(member)}:`
      const next = lines.findIndex((line, index) => index >= at && line.startsWith(start))
      if (next !== -1) at = next
    }
    return at + 1
  }
}
