/** Tells on which line of a formatted JSON file a key stands, such as `receipt.body.0`: its own line, or its parent's. */
export function placesOf(json: string): (key: string) => number {
  const lines = json.split('\n')
  return (key) => {
    let at = 0
    for (const member of key.split('.')) {
      const next = lines.findIndex(
        (line, index) => index >= at && line.trimStart().startsWith(`${JSON.stringify(member)}:`),
      )
      if (next !== -1) at = next
    }
    return at + 1
  }
}
