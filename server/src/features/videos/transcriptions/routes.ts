import { videoErrors } from '@kinora/contract/videos/errors.ts'
import type { ChannelTranscriptions, Transcription } from '@kinora/contract/videos/transcriptions.ts'
import * as contract from '@kinora/contract/videos/transcriptions.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import type { WebContext } from '../../../context/context.ts'
import type { Db } from '../../../context/database.ts'
import { withOwnVideo } from '../captions/actions/change-captions.ts'
import { assertOwnVideo } from '../videos/actions/change-video.ts'
import { isAvailable } from './actions/is-available.ts'
import {
  cancel,
  findBacklog,
  getTranscriptionRow,
  isEnabledForChannel,
  putChannelChoice,
  putChoice,
  requestAll,
  requestOne,
} from './queries.ts'
import { toTranscription } from './rules.ts'

export const transcriptionRoutes = [
  route(contract.getTranscription, async ({ params, channel }, context: WebContext) => {
    await assertOwnVideo(context.db, params.id, channel.id)
    return readTranscription(context, context.db, params.id, channel.id)
  }),

  route(contract.putTranscription, { clears: [] }, ({ params, body, channel, user }, context: WebContext) =>
    withOwnVideo(context.db, { videoId: params.id, userId: channel.id, actorId: user.id }, async (own) => {
      await putChoice(own, params.id, body.isEnabled)
      return readTranscription(context, own, params.id, channel.id)
    }),
  ),

  route(
    contract.requestTranscription,
    { clears: [] },
    ({ params, body, channel, user }, context: WebContext) =>
      withOwnVideo(context.db, { videoId: params.id, userId: channel.id, actorId: user.id }, async (own) => {
        await assertAvailable({ ...context, db: own })
        await requestOne(own, params.id, { language: body.language, now: context.clock.now() })
        return readTranscription(context, own, params.id, channel.id)
      }),
  ),

  route(contract.cancelTranscription, { clears: [] }, ({ params, channel, user }, context: WebContext) =>
    withOwnVideo(context.db, { videoId: params.id, userId: channel.id, actorId: user.id }, async (own) => {
      await cancel(own, params.id)
      return readTranscription(context, own, params.id, channel.id)
    }),
  ),

  route(contract.getChannelTranscriptions, ({ user }, context: WebContext) => readChannel(context, user.id)),

  route(contract.putChannelTranscriptions, { clears: [] }, async ({ body, user }, context: WebContext) => {
    await putChannelChoice(context.db, user.id, body.isEnabled)
    return readChannel(context, user.id)
  }),

  route(contract.requestChannelTranscriptions, { clears: [] }, async ({ user }, context: WebContext) => {
    await assertAvailable(context)
    await requestAll(context.db, user.id, context.clock.now())
    return readChannel(context, user.id)
  }),
]

async function assertAvailable(context: Pick<WebContext, 'db' | 'speech'>): Promise<void> {
  if (!(await isAvailable(context))) throw new AppError(videoErrors.speechUnavailable)
}

async function readTranscription(
  context: WebContext,
  db: Db,
  videoId: string,
  ownerId: string,
): Promise<Transcription> {
  const { secondsLeft } = await findBacklog(db, { ownerId, videoId })
  const row = await getTranscriptionRow(db, videoId)
  return toTranscription(row, {
    // by the same connection: the transaction holds one already
    isAvailable: await isAvailable({ ...context, db }),
    policy: context.config.captionsPolicy,
    secondsLeft,
  })
}

async function readChannel(context: WebContext, ownerId: string): Promise<ChannelTranscriptions> {
  const { db } = context
  return {
    ...(await findBacklog(db, { ownerId })),
    isAvailable: await isAvailable(context),
    policy: context.config.captionsPolicy,
    isEnabled: await isEnabledForChannel(db, ownerId),
  }
}
