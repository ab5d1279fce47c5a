import { errors } from '@kinora/contract/errors.ts'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { type Pace, requirePace } from './receive-body.ts'

/** Reads a body that no parser has read, such as one of `fileBytesType`. Throws `too_large` above a size. */
export async function readBytes(request: FastifyRequest, maxBytes: number, pace: Pace): Promise<Buffer> {
  const tooLarge = () => new AppError(errors.requestTooLarge)
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
  using _ = requirePace(request, pace)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.raw as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}
