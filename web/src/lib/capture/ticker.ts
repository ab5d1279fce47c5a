/** Calls a function at an interval, also while the page is in the background. Returns what stops it. */
export function startTicker(intervalMs: number, tick: () => void): () => void {
  const worker = new Worker(new URL('tick-worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', tick)
  // Only windows have a target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  worker.postMessage(intervalMs)
  return () => worker.terminate()
}
