import { setImmediate } from 'node:timers/promises'

/** What is made after this is newer than what was made before: rows remember whole milliseconds, rounded. */
export async function nextMillisecond(): Promise<void> {
  const now = Date.now()
  while (Date.now() < now + 2) await setImmediate()
}
