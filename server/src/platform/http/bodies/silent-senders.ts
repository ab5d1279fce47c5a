import type { FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { answerOnSocket } from '../failures/answer-on-socket.ts'

/**
 * Refuses a request with `timeout` when no byte of it comes for so long, until disposed. Whoever reads its body then finds
 * it broken off.
 */
export function refuseSilence(request: FastifyRequest, seconds: number): Disposable {
  return whenSilent(request, seconds, () => {
    const failure = new AppError('timeout', `Nothing came for ${seconds} s, so the request was ended`)
    answerOnSocket(request.raw.socket, failure, request.id)
  })
}

/** The same without a word: for senders who go on after a lost connection, and take a refusal for the end. */
export function hangUpOnSilence(request: FastifyRequest, seconds: number): Disposable {
  return whenSilent(request, seconds, () => request.raw.destroy(new Error('The sender went silent')))
}

function whenSilent({ raw }: FastifyRequest, seconds: number, end: () => void): Disposable {
  // told to the request, for Node by itself hangs up where only the socket is listened to
  raw.once('timeout', end)
  raw.socket.setTimeout(seconds * 1000)
  return {
    [Symbol.dispose]: () => {
      raw.off('timeout', end)
      raw.socket.setTimeout(0)
    },
  }
}
