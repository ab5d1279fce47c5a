import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebContext } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import { ObjectSender } from '../../platform/http/delivery/send-object.ts'
import { readSessionToken } from '../../platform/http/security/session-cookie.ts'
import { resumeSession } from '../sessions/actions.ts'
import { HiddenPictures } from './actions.ts'
import { parsePictureFile } from './rules.ts'

/**
 * Serves pictures. A name never gets other bytes, so that caches keep them for good; those of a video that is taken down are
 * for its owner alone.
 */
export function servePictures(app: FastifyInstance, context: WebContext): void {
  const { storage, config, signals } = context
  const sender = new ObjectSender(storage, config.mediaDelivery)
  const hidden = new HiddenPictures(context)
  app.addHook('onReady', async () => {
    // a takedown is told as a change of everything
    await signals.listen('changed', (ids) => {
      if (ids === '') hidden.forget()
    })
  })
  app.addHook('onClose', async () => sender.close())

  async function isViewer(request: FastifyRequest, ownerId: string): Promise<boolean> {
    const token = readSessionToken(request)
    const session = token ? await resumeSession(context, token) : null
    return session?.viewer.id === ownerId
  }

  app.get<{ Params: { id: string; file: string } }>('/media/pictures/:id/:file', async (request, reply) => {
    const picture = parsePictureFile(request.params.id, request.params.file)
    const ownerId = picture && (await hidden.ownerOf(request.params.id))
    const mayBeSeen = picture && (ownerId === undefined || (await isViewer(request, ownerId)))
    const headers = {
      type: picture?.type ?? '',
      cacheControl: ownerId === undefined ? 'public, max-age=31536000, immutable' : 'private, no-store',
      staysHere: ownerId !== undefined,
    }
    if (!mayBeSeen || !(await sender.send(request, reply, picture.key, headers)))
      throw new AppError('not_found', 'There is no such picture')
    return reply
  })
}
