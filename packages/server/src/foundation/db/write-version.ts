/**
 * One number for everything that may have changed a cached answer: this process's relevant commits and all commits of
 * other processes. It grows by one at a time, so it stays an exact integer for the life of a process.
 */
export class WriteVersion {
  #count: number
  #othersSeen: number | undefined

  constructor(start = 0) {
    this.#count = start
  }

  /** Records a committed change of this process. */
  raise(): void {
    this.#count += 1
  }

  /** The version for SQLite's `data_version`, a number that differs after each commit of another connection. */
  at(others: number): number {
    if (others !== this.#othersSeen) {
      this.#othersSeen = others
      this.#count += 1
    }
    return this.#count
  }
}
