import { spawn } from 'node:child_process'
import { setTraceSigInt } from 'node:util'
import { watchdogTimes } from './watchdog.ts'

/**
 * Sends heartbeats to what restarts this process when they stop: the supervisor, through the IPC channel, or systemd, which
 * waits `systemdMs` for the next one. They come from a timer of the event loop, so that they end where it is blocked.
 */
export function sendHeartbeats(systemdMs: number | undefined, intervalMs = watchdogTimes.heartbeatMs): void {
  if (process.send) repeat(intervalMs, () => process.connected && process.send?.('alive'))
  // systemd recommends half of the time or less; Node has no datagram sockets for its own message
  if (systemdMs !== undefined) repeat(systemdMs / 3, notifySystemd)
}

/**
 * Prints the stack of the event loop and exits when SIGINT arrives, also from an endless loop. Works only without a
 * listener of SIGINT.
 */
export function traceOnInterrupt(): void {
  setTraceSigInt(true)
}

function repeat(intervalMs: number, beat: () => void): void {
  beat()
  setInterval(beat, intervalMs).unref()
}

function notifySystemd(): void {
  // without heartbeats systemd logs the timeout, which names the cause
  spawn('systemd-notify', ['WATCHDOG=1'], { stdio: 'ignore' }).on('error', () => undefined)
}
