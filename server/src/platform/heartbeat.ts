import { spawn } from 'node:child_process'
import { setTraceSigInt } from 'node:util'
import { watchdogTimes } from './watchdog.ts'

/**
 * Sends heartbeats to what restarts this process when they stop: the supervisor, through the IPC channel, or systemd, with
 * `WatchdogSec`. They come from a timer of the event loop, so that they end where it is blocked.
 */
export function sendHeartbeats(intervalMs = watchdogTimes.heartbeatMs): void {
  if (process.send) repeat(intervalMs, () => process.connected && process.send?.('alive'))
  const systemdMs = systemdWatchdogMs()
  // systemd recommends half of the time; Node has no datagram sockets for its own message
  if (systemdMs !== undefined) repeat(systemdMs / 3, notifySystemd)
}

/** Whether somebody restarts this process when its heartbeats stop. Their SIGINT asks for a stack trace. */
export const isWatched = () => process.send !== undefined || systemdWatchdogMs() !== undefined

/**
 * Prints the stack of the event loop and exits when SIGINT arrives, also from an endless loop. Works only without a
 * listener of SIGINT.
 */
export function traceOnInterrupt(): void {
  setTraceSigInt(true)
}

/** `WatchdogSec` of the unit; undefined without one, and in child processes of the service. See sd_watchdog_enabled(3). */
function systemdWatchdogMs({ WATCHDOG_USEC, WATCHDOG_PID } = process.env): number | undefined {
  if (!WATCHDOG_USEC || (WATCHDOG_PID && Number(WATCHDOG_PID) !== process.pid)) return undefined
  return Number(WATCHDOG_USEC) / 1000
}

function repeat(intervalMs: number, beat: () => void): void {
  beat()
  setInterval(beat, intervalMs).unref()
}

function notifySystemd(): void {
  // without heartbeats systemd logs the timeout, which names the cause
  spawn('systemd-notify', ['WATCHDOG=1'], { stdio: 'ignore' }).on('error', () => undefined)
}
