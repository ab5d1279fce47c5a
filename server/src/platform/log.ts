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
