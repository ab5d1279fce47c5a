import type { IncomingMessage } from 'node:http'
import { errors } from '@kinora/contract/errors.ts'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { respondOnSocket } from '../failures/respond-on-socket.ts'

/** Minimum speed of a request body. */
export interface Pace {
  minBytesPerSecond: number
  /** Time over which the rate is averaged: a lost packet is not a slow sender. */
  windowSeconds: number
  /** Time limit of the whole body. */
  totalSeconds?: number
}

/** For bodies that are read into memory. */
export const smallBodyPace: Pace = { minBytesPerSecond: 1000, windowSeconds: 5, totalSeconds: 15 }

/** For forms with pictures. */
export const picturesPace: Pace = { minBytesPerSecond: 1000, windowSeconds: 10, totalSeconds: 1800 }

/** Whether a request has a body. */
export function hasBody({ method, headers }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Returns a function that returns roughly how many bytes of the body have arrived since this call. */
export function countReceived({ raw }: FastifyRequest): () => number {
  const { socket } = raw
  const before = socket.bytesRead
  return () => socket.bytesRead - before
}

/**
 * Waits for the whole body, or for as much of it as `pace` demands of its first window, without reading it. Ends the
 * request, and throws `timeout`, when that takes longer than the window. For bodies that wait for their turn: slow senders
 * keep no place in the queue.
 */
export async function waitForBeginning({ raw, id }: FastifyRequest, pace: Pace): Promise<void> {
  const { minBytesPerSecond, windowSeconds } = pace
  const hasBegun = () =>
    raw.complete || raw.destroyed || raw.readableLength >= minBytesPerSecond * windowSeconds
  if (hasBegun()) return
  const begun = Promise.withResolvers<void>()
  const onReadable = () => hasBegun() && begun.resolve()
  let seconds = 0
  // counted in ticks, so that time during which this process was blocked does not count
  const timer = setInterval(() => {
    seconds += 1
    if (seconds < windowSeconds) return
    const failure = tooSlow(pace)
    respondOnSocket(raw.socket, failure, id)
    begun.reject(failure)
  }, 1000)
  for (const event of ['readable', 'close']) raw.on(event, onReadable)
  try {
    await begun.promise
  } finally {
    clearInterval(timer)
    for (const event of ['readable', 'close']) raw.off(event, onReadable)
  }
}

const tooSlow = ({ minBytesPerSecond }: Pace) =>
  new AppError(errors.bodyTooSlow, { bytes: String(minBytesPerSecond) })

const tooLate = (seconds: number) => new AppError(errors.bodyTooLate, { seconds })

/** Ends a request with `timeout` when its body comes more slowly than `pace`, until disposed. */
export function requirePace(request: FastifyRequest, pace: Pace): Disposable {
  return watchPace(request.raw, pace, (failure) => respondOnSocket(request.raw.socket, failure, request.id))
}

/** Calls `onSlow` once when a body comes more slowly than `pace`, until disposed. */
export function watchPace(raw: IncomingMessage, pace: Pace, onSlow: (failure: AppError) => void): Disposable {
  const { socket } = raw
  const { minBytesPerSecond, windowSeconds, totalSeconds = Infinity } = pace
  let seconds = 0
  let window = { bytes: socket.bytesRead, seconds: 0 }
  // counted in ticks, so that time during which this process was blocked does not count
  const tick = () => {
    // paused by back-pressure
    if (raw.isPaused()) return
    seconds += 1
    window.seconds += 1
    let isSlow = false
    if (window.seconds === windowSeconds) {
      isSlow = socket.bytesRead - window.bytes < minBytesPerSecond * windowSeconds
      window = { bytes: socket.bytesRead, seconds: 0 }
    }
    if (!isSlow && seconds < totalSeconds) return
    clearInterval(timer)
    onSlow(isSlow ? tooSlow(pace) : tooLate(totalSeconds))
  }
  const timer = setInterval(tick, 1000)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
