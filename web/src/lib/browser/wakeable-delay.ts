/** A wait between attempts, which also ends when the network is back. */
export class WakeableDelay {
  #wake = () => {}

  /** Resolves after a time, or when something wakes it. */
  async wait(ms: number): Promise<void> {
    const awake = new AbortController()
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
      addEventListener('online', this.#wake, { signal: awake.signal })
    })
    awake.abort()
  }

  /** Ends the wait. */
  wake(): void {
    this.#wake()
  }
}
