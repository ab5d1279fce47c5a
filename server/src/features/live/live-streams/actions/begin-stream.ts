import type { LiveTemplate } from '@kinora/contract/live/live-streams.ts'
import { StreamEnded } from '@kinora/live/refusals.ts'
import type { Beginning, Part } from '@kinora/live/recording/recorder.ts'
import { planPresentation } from '@kinora/media/plan/hls.ts'
import { probe } from '@kinora/media/probe/probe.ts'
import { toolsOf } from '@kinora/media/process/ffmpeg.ts'
import { SourceRefused } from '@kinora/media/source/source-info.ts'
import { newId } from '@kinora/platform/ids.ts'
import type { Context } from '../../../../context/context.ts'
import { storagePrefixes } from '../../../../context/storage-keys.ts'
import { storeFrame } from '../../../videos/uploads/actions/early-thumbnail.ts'
import { publishVideo } from '../../../videos/uploads/actions/publish-video.ts'
import { QuotaExceeded } from '../../../videos/uploads/actions/quota.ts'
import { deleteSourceLater } from '../../../videos/uploads/actions/delete-source-later.ts'
import { isSourceNeeded } from '../../../videos/uploads/queries.ts'
import { insertStream } from '../queries/streams.ts'
import { growingKeyOf } from '../rules.ts'
import type { Recording } from './recording-file.ts'
import { createRecording } from './recordings.ts'

/** Long after a stream was published. */
const discardAfterSeconds = 24 * 3600

export interface StreamChannel {
  userId: string
  /** Of the key that the encoder sent; undefined for a browser. */
  keyHash: Buffer | undefined
  template: LiveTemplate
}

/** Publishes the video of a stream with its first part. Throws `StreamEnded` if it cannot be published. */
export async function beginStream(
  context: Context,
  channel: StreamChannel,
  { init, format }: Beginning,
  part: Part,
): Promise<{ videoId: string; sourceKey: string; recording: Recording; position: number }> {
  const videoId = newId()
  const sourceKey = growingKeyOf(videoId, newId())
  const { keepsRecording, description = '', ...details } = channel.template
  const insert = { videoId, channelId: channel.userId, format, init, keepsRecording }
  const bytes = Buffer.concat([part.video, part.audio ?? Buffer.alloc(0)])
  let recording: Recording | undefined
  try {
    // a killed process would leave it
    await deleteSourceLater(context, `${storagePrefixes.live}${videoId}/`, discardAfterSeconds)
    await using begun = await createRecording(context, sourceKey, {
      init,
      part: bytes,
      keepsAll: keepsRecording,
    })
    recording = begun.recording
    const { position } = begun
    const signal = AbortSignal.timeout(60_000)
    const source = await probe(toolsOf(context.config), begun.path, signal)
    if (!planPresentation(source).passthrough) throw new StreamEnded('not_playable')
    await publishVideo(
      context,
      {
        id: videoId,
        ownerId: channel.userId,
        ...details,
        description,
        videoFile: begun.path,
        sourceKey,
        isStored: true,
        keepsMetadata: true,
        thumbnail: storeFrame(context, begun.path, signal),
        source: Promise.resolve(source),
        live: (db) => insertStream(db, { ...insert, now: context.clock.now() }),
      },
      signal,
      { isPrepared: false },
    )
    return { videoId, sourceKey, recording, position }
  } catch (error) {
    await recording?.close()
    // the commit may have happened although its response was lost
    const isNeeded = await isSourceNeeded(context.db, sourceKey).catch(() => true)
    if (!isNeeded) await context.storage.delete(sourceKey)
    if (error instanceof StreamEnded) throw error
    if (error instanceof QuotaExceeded) throw new StreamEnded('quota', { cause: error })
    if (error instanceof SourceRefused) throw new StreamEnded('not_playable', { cause: error })
    throw error
  }
}
