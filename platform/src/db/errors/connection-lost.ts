import { codeOf } from '../../errors.ts'

/** SQLSTATEs of a server that stops, starts or has no free connection. Class 08 covers connection exceptions. */
const states = new Set(['57P01', '57P02', '57P03', '53300'])

/** Errors of an unreachable server. */
const systemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** Errors of the library pg without a code. */
const messages = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
]

/** Whether an error means that the database is temporarily unreachable. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error) ?? ''
  if (states.has(code) || code.startsWith('08') || systemCodes.has(code)) return true
  return messages.some((message) => error.message.startsWith(message)) || isConnectionLost(error.cause)
}
