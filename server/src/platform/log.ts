import { pino, type Logger, type LoggerOptions } from 'pino'
import { currentRequestId } from './request-scope.ts'
import { currentTrace } from './tracing/tracing.ts'

export type Log = Logger

/**
 * JSON lines on standard output, one per event; `role` tells which process wrote it, `requestId` on whose behalf. The operator's
 * are on standard error: what their commands answer stands alone.
 */
export function createLog(level: string, role: string): Log {
  const options: LoggerOptions = {
    level,
    base: { role, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => {
      const requestId = currentRequestId()
      const traceId = currentTrace()?.split('-')[1]
      return { ...(requestId === undefined ? {} : { requestId }), ...(traceId ? { traceId } : {}) }
    },
    formatters: { level: (label) => ({ level: label }) },
    redact: ['req.headers.cookie', 'req.headers.authorization'],
  }
  return role === 'operator' ? pino(options, pino.destination({ dest: 2, sync: true })) : pino(options)
}

/**
 * A function that logs an error under `message`, equal ones at most once per `intervalMs`: while a database is away, a queue
 * fails ten times a second. The next line says how many were left out as `repeated`.
 */
export function logErrorsFolded(log: Log, message: string, intervalMs = 60_000): (error: unknown) => void {
  const seen = new Map<string, { loggedAt: number; repeated: number }>()
  return (error) => {
    const reason = error instanceof Error ? error.message : String(error)
    const last = seen.get(reason)
    if (last && performance.now() - last.loggedAt < intervalMs) {
      last.repeated += 1
      return
    }
    // Reasons that contain addresses or times must not fill the memory.
    if (seen.size >= maxFoldedReasons) seen.clear()
    seen.set(reason, { loggedAt: performance.now(), repeated: 0 })
    log.error({ reason, ...(last && last.repeated > 0 ? { repeated: last.repeated } : {}) }, message)
  }
}

const maxFoldedReasons = 100
