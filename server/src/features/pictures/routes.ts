import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import { ObjectSender } from '../../platform/http/send-object.ts'
import { parsePictureFile } from './rules.ts'

/** Serves pictures. A name never gets other bytes, so that caches keep them for good. */
export function servePictures(
  app: FastifyInstance,
  { storage, config }: Pick<Context, 'storage' | 'config'>,
): void {
  const sender = new ObjectSender(storage, config.mediaDelivery)
  app.addHook('onClose', async () => sender.close())
  app.get<{ Params: { id: string; file: string } }>('/media/pictures/:id/:file', async (request, reply) => {
    const picture = parsePictureFile(request.params.id, request.params.file)
    const headers = { type: picture?.type ?? '', cacheControl: 'public, max-age=31536000, immutable' }
    if (!picture || !(await sender.send(request, reply, picture.key, headers)))
      throw new AppError('not_found', 'There is no such picture')
    return reply
  })
}
