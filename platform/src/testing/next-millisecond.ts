import { setImmediate } from 'node:timers/promises'

/** Waits until new rows sort after earlier ones: timestamps are rounded to milliseconds. */
export async function nextMillisecond(): Promise<void> {
  const now = Date.now()
  while (Date.now() < now + 2) await setImmediate()
}
