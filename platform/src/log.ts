import { pino, type Logger, type LoggerOptions } from 'pino'
import { describeError } from './errors.ts'
import { currentRequestId } from './request-scope.ts'
import { currentTrace } from './tracing/tracing.ts'

export type Log = Logger

/**
 * Logs JSON lines to standard output. `role` names the process, `requestId` the request that caused the event. The CLI
 * logs to standard error, because its standard output is the result of the command.
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
  return role === 'cli' ? pino(options, process.stderr) : pino(options)
}

/**
 * Returns a function that logs errors under `message`, equal ones at most once per `intervalMs`: while the database is
 * unreachable, a queue fails ten times a second. `repeated` of the next line counts the omitted ones.
 */
export function logErrorsFolded(log: Log, message: string, intervalMs = 60_000): (error: unknown) => void {
  const seen = new Map<string, { loggedAt: number; repeated: number }>()
  return (error) => {
    // pg-boss adds which worker failed
    const reason = describeError(error).replace(/ \(Queue: \S+, Worker: \S+\)$/, '')
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
