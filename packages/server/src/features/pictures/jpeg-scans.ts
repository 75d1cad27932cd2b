const endOfImage = 0xd9
const startOfScan = 0xda
/** Restart markers, and one for private use: they have no length. */
const isBare = (marker: number): boolean => (marker >= 0xd0 && marker <= 0xd7) || marker === 0x01

/**
 * Counts the scans of a JPEG, in the way in which the decoder finds them: it skips every segment by its length, and
 * every other byte up to the next marker. A small file may have thousands of scans, each of which costs the decoder as
 * much as the whole picture. Infinity for a file with a marker that no decoder reads.
 */
export function countScans(bytes: Uint8Array): number {
  let scans = 0
  for (let at = bytes.indexOf(0xff, 2); at !== -1; at = bytes.indexOf(0xff, at)) {
    while (bytes[at] === 0xff) at += 1
    const marker = bytes[at] ?? endOfImage
    at += 1
    if (marker === endOfImage) break
    // A zero marks an ordinary byte 255 within a scan.
    if (marker === 0 || isBare(marker)) continue
    if (marker < 0xc0 || marker === 0xd8) return Number.POSITIVE_INFINITY
    if (marker === startOfScan) scans += 1
    const length = (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0)
    if (length < 2) return Number.POSITIVE_INFINITY
    at += length
  }
  return scans
}
