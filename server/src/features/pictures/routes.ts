import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import { matchesEtag } from '../../platform/http/static-site.ts'
import { parsePictureFile } from './rules.ts'

/** Serves pictures. A name never gets other bytes, so that caches keep them for good. */
export function servePictures(app: FastifyInstance, { storage }: Pick<Context, 'storage'>): void {
  app.get<{ Params: { id: string; file: string } }>('/media/pictures/:id/:file', async (request, reply) => {
    const { id, file } = request.params
    const picture = parsePictureFile(id, file)
    const found = picture && (await storage.get(picture.key))
    if (!picture || !found) throw new AppError('not_found', 'There is no such picture')
    const etag = `"${id}-${file}"`
    reply.header('cache-control', 'public, max-age=31536000, immutable').header('etag', etag)
    if (matchesEtag(request.headers['if-none-match'], etag)) {
      found.body.destroy()
      return reply.code(304).send()
    }
    return reply.type(picture.type).header('content-length', found.sizeBytes).send(found.body)
  })
}
