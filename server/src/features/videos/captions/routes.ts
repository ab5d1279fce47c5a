import path from 'node:path'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import * as contract from '@kinora/contract/videos/captions.ts'
import { captionsMaxBytes } from '@kinora/contract/constants.ts'
import type { FastifyRequest } from 'fastify'
import type { WebContext } from '../../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { readForm, type ReceivedForm } from '@kinora/platform/http/bodies/form.ts'
import { picturesPace } from '@kinora/platform/http/bodies/receive-body.ts'
import { parseInput } from '@kinora/platform/http/routing/parse-input.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { recordActivity } from '../collaborators/actions.ts'
import { assertOwnVideo } from '../videos/actions/change-video.ts'
import { addCaptions, changeCaptions, withOwnVideo } from './actions/change-captions.ts'
import { readCaptions } from './actions/read-captions.ts'
import { deleteCaptions, listAllCaptions } from './queries.ts'

const recordCaptions = (
  context: WebContext,
  channel: { id: string },
  user: { id: string },
  videoId: string,
) => recordActivity(context, { channelId: channel.id, actorId: user.id, action: 'captions_changed', videoId })

export const captionRoutes = [
  route(contract.listOwnCaptions, async ({ params, channel }, { db }: WebContext) => {
    await assertOwnVideo(db, params.id, channel.id)
    return listAllCaptions(db, params.id)
  }),

  route(
    contract.addCaptions,
    { clears: ['videos'] },
    async ({ params, user, channel, request }, context: WebContext) => {
      const { db, config } = context
      const video = { videoId: params.id, userId: channel.id, actorId: user.id }
      // Nothing is received for a video of somebody else.
      await withOwnVideo(db, video, async () => undefined)
      await using form = await readCaptionsForm(request, config)
      if (!form.files['captions']) throw new AppError(videoErrors.captionsRequired, { path: 'captions' })
      const fields = parseInput(contract.CaptionsFields, form.fields, config)
      const content = (await contentOf(user.id, form, fields.language)) ?? ''
      const added = await addCaptions(db, video, fields, content)
      await recordCaptions(context, channel, user, params.id)
      return added
    },
  ),

  route(
    contract.changeCaptions,
    { clears: ['videos'] },
    async ({ params, user, channel, request }, context: WebContext) => {
      const { db, config } = context
      const video = { videoId: params.id, userId: channel.id, actorId: user.id }
      await withOwnVideo(db, video, async () => undefined)
      await using form = await readCaptionsForm(request, config)
      const changes = parseInput(contract.CaptionsChanges, form.fields, config)
      const known = await listAllCaptions(db, params.id)
      const track = known.find(({ _id }) => _id === params.captionsId)
      const content = await contentOf(user.id, form, changes.language ?? track?.language ?? 'en')
      const changed = await changeCaptions(db, video, params.captionsId, changes, content)
      await recordCaptions(context, channel, user, params.id)
      return changed
    },
  ),

  route(
    contract.deleteCaptions,
    { clears: ['videos'] },
    async ({ params, channel, user }, context: WebContext) => {
      const left = await withOwnVideo(
        context.db,
        { videoId: params.id, userId: channel.id, actorId: user.id },
        async (own) => {
          await deleteCaptions(own, params.id, params.captionsId)
          return listAllCaptions(own, params.id)
        },
      )
      await recordCaptions(context, channel, user, params.id)
      return left
    },
  ),
]

function readCaptionsForm(request: FastifyRequest, config: WebContext['config']): Promise<ReceivedForm> {
  return readForm(request, {
    directory: path.join(config.dataDir, 'incoming'),
    maxBytes: { captions: captionsMaxBytes },
    idleSeconds: config.uploadIdleSeconds,
    pace: picturesPace,
  })
}

/** The file of a form as WebVTT, or undefined where there is none. */
async function contentOf(
  userId: string,
  { files }: ReceivedForm,
  language: string,
): Promise<string | undefined> {
  const file = files['captions']
  return file ? readCaptions(userId, file.path, language) : undefined
}
