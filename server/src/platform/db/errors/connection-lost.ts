/** SQLSTATEs of a server that is going, coming or full; class 08 is the connection itself. */
const states = new Set(['57P01', '57P02', '57P03', '53300'])

/** What the network says of a server that is gone. */
const systemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** pg says these without a code. */
const messages = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
]

/** Whether an error means that the database is away for the moment, so that trying again later makes sense. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  if (states.has(code) || code.startsWith('08') || systemCodes.has(code)) return true
  return messages.some((message) => error.message.startsWith(message)) || isConnectionLost(error.cause)
}
