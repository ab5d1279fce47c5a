import { rm } from 'node:fs/promises'
import type { LiveTemplate } from '@kinora/contract/live/live-streams.ts'
import { StreamEnded } from '@kinora/live/refusals.ts'
import type { Beginning, Part } from '@kinora/live/recording/recorder.ts'
import { planPresentation } from '@kinora/media/plan/hls.ts'
import { probe } from '@kinora/media/probe/probe.ts'
import { toolsOf } from '@kinora/media/process/ffmpeg.ts'
import { SourceRefused } from '@kinora/media/source/source-info.ts'
import { newId } from '@kinora/platform/ids.ts'
import type { Context } from '../../../../context/context.ts'
import { storeFrame } from '../../../videos/uploads/actions/early-thumbnail.ts'
import { publishVideo } from '../../../videos/uploads/actions/publish-video.ts'
import { QuotaExceeded } from '../../../videos/uploads/actions/quota.ts'
import { isSourceNeeded } from '../../../videos/uploads/queries.ts'
import { insertStream } from '../queries/streams.ts'
import { fileKeyOf, growingKeyOf } from '../rules.ts'
import { RecordingFile } from './recording-file.ts'

export interface StreamChannel {
  userId: string
  /** Of the key that the encoder sent. */
  keyHash: Buffer
  template: LiveTemplate
}

/** Publishes the video of a stream with its first part. Throws `StreamEnded` if it cannot be published. */
export async function beginStream(
  context: Context,
  channel: StreamChannel,
  { init, format }: Beginning,
  part: Part,
): Promise<{ videoId: string; sourceKey: string; file: RecordingFile; position: number }> {
  const videoId = newId()
  const sourceKey = growingKeyOf(videoId, newId())
  const target = context.storage.pathOf(sourceKey)
  if (target === undefined) throw new StreamEnded('failed')
  const { keepsRecording, description = '', ...details } = channel.template
  const pathOf = (number: number) => context.storage.pathOf(fileKeyOf(sourceKey, number)) ?? ''
  const file = await RecordingFile.create({ pathOf, keepsAll: keepsRecording })
  const insert = { videoId, channelId: channel.userId, format, init, keepsRecording }
  try {
    await file.append(init)
    const { position } = await file.append(Buffer.concat([part.video, part.audio ?? Buffer.alloc(0)]))
    const signal = AbortSignal.timeout(60_000)
    const source = await probe(toolsOf(context.config), target, signal)
    if (!planPresentation(source).passthrough) throw new StreamEnded('not_playable')
    await publishVideo(
      context,
      {
        id: videoId,
        ownerId: channel.userId,
        ...details,
        description,
        videoFile: target,
        sourceKey,
        isStored: true,
        keepsMetadata: true,
        thumbnail: storeFrame(context, target, signal),
        source: Promise.resolve(source),
        live: (db) => insertStream(db, { ...insert, now: context.clock.now() }),
      },
      signal,
      { isPrepared: false },
    )
    return { videoId, sourceKey, file, position }
  } catch (error) {
    await file.close()
    // the commit may have happened although its response was lost
    const isNeeded = await isSourceNeeded(context.db, sourceKey).catch(() => true)
    if (!isNeeded) await rm(target, { force: true })
    if (error instanceof StreamEnded) throw error
    if (error instanceof QuotaExceeded) throw new StreamEnded('quota', { cause: error })
    if (error instanceof SourceRefused) throw new StreamEnded('not_playable', { cause: error })
    throw error
  }
}
