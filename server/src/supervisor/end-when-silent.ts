import type { ChildProcess } from 'node:child_process'
import type { Log } from '@kinora/platform/log.ts'
import { Silence, type WatchdogTimes } from '@kinora/platform/watchdog.ts'

const checksPerLimit = 30
/** Printing a stack trace takes milliseconds. */
const traceMs = 2000

/**
 * Ends a child process whose heartbeats stop: it was stopped by a signal, or its event loop is blocked. SIGTERM lets it end
 * in order; SIGINT makes it print the stack of its event loop; `kill` ends it with its own children.
 */
export function endWhenSilent(
  child: ChildProcess,
  { name, kill, log, times }: { name: string; kill: () => void; log: Log; times: WatchdogTimes },
): void {
  const { silentProcessMs, silentStartMs, graceMs } = times
  const intervalMs = silentProcessMs / checksPerLimit
  const silence = new Silence(2 * intervalMs)
  let limitMs = silentStartMs
  const timers = [setInterval(check, intervalMs)]
  child.on('message', () => {
    silence.reset()
    limitMs = silentProcessMs
  })
  child.once('exit', () => timers.forEach((timer) => clearTimeout(timer)))

  function check(): void {
    const silentMs = silence.measure()
    if (silentMs < limitMs) return
    clearInterval(timers[0])
    log.error(
      { child: name, childPid: child.pid, silentMs: Math.round(silentMs) },
      'child does not respond, restarting',
    )
    child.kill('SIGTERM')
    timers.push(
      setTimeout(() => child.kill('SIGINT'), graceMs),
      setTimeout(kill, graceMs + traceMs),
    )
  }
}
