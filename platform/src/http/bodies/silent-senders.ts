import { errors } from '@kinora/contract/errors.ts'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { respondOnSocket } from '../failures/respond-on-socket.ts'

/** Rejects a request with `timeout` after so many seconds without a byte, until disposed. Reading its body then fails. */
export function rejectWhenIdle(request: FastifyRequest, seconds: number): Disposable {
  return onIdle(request, seconds, () => {
    const failure = new AppError(errors.requestIdle, { seconds })
    respondOnSocket(request.raw.socket, failure, request.id)
  })
}

/** Closes the connection without a response: resumable clients then reconnect, but give up after an error response. */
export function closeWhenIdle(request: FastifyRequest, seconds: number): Disposable {
  return onIdle(request, seconds, () => request.raw.destroy(new Error('The client stopped sending')))
}

function onIdle({ raw }: FastifyRequest, seconds: number, end: () => void): Disposable {
  // the listener is on the request, because Node destroys the socket if only the socket has a listener
  raw.once('timeout', end)
  raw.socket.setTimeout(seconds * 1000)
  return {
    [Symbol.dispose]: () => {
      raw.off('timeout', end)
      raw.socket.setTimeout(0)
    },
  }
}
