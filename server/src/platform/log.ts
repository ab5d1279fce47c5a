import { pino, type Logger } from 'pino'

export type Log = Logger

/** JSON lines on standard output, one per event; `role` tells which process wrote it. */
export function createLog(level: string, role: string): Log {
  return pino({
    level,
    base: { role, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: ['req.headers.cookie', 'req.headers.authorization'],
  })
}
