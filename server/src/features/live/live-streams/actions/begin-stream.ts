import type { LiveTemplate } from '@kinora/contract/live/live-streams.ts'
import { StreamEnded } from '@kinora/live/refusals.ts'
import type { Beginning, Part } from '@kinora/live/recording/recorder.ts'
import { planPresentation } from '@kinora/media/plan/hls.ts'
import { probe } from '@kinora/media/probe/probe.ts'
import { toolsOf } from '@kinora/media/process/ffmpeg.ts'
import { SourceRefused } from '@kinora/media/source/source-info.ts'
import { newId } from '@kinora/platform/ids.ts'
import type { Context } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import { storagePrefixes } from '../../../../context/storage-keys.ts'
import { deletePictureLater } from '../../../pictures/actions.ts'
import { publishVisibility } from '../../../visibility/queries.ts'
import { storeFrame } from '../../../videos/uploads/actions/early-thumbnail.ts'
import { publishVideo } from '../../../videos/uploads/actions/publish-video.ts'
import { QuotaExceeded } from '../../../videos/uploads/actions/quota.ts'
import { deleteSourceLater } from '../../../videos/uploads/actions/delete-source-later.ts'
import { isSourceNeeded } from '../../../videos/uploads/queries.ts'
import { announceVideo } from '../../../videos/videos/actions/announce-video.ts'
import { showFiles } from '../../../videos/videos/actions/hide-video.ts'
import { beginAnnounced, findDue } from '../queries/announcements.ts'
import { insertStream } from '../queries/streams.ts'
import { growingKeyOf } from '../rules/streams.ts'
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

interface BegunStream {
  videoId: string
  sourceKey: string
  recording: Recording
  /** Of the first part in its file. */
  position: number
  keepsRecording: boolean
  /** Whether subscribers and webhooks learn of it already. */
  isAnnounced: boolean
}

/** Makes a video of the row of an announced stream. Throws `StreamEnded` if the announcement was changed meanwhile: the encoder connects again. */
async function updateAnnounced(
  context: Context,
  db: Db,
  row: Parameters<typeof beginAnnounced>[1],
  announced: Parameters<typeof beginAnnounced>[2],
): Promise<void> {
  const begun = await beginAnnounced(db, row, announced)
  if (!begun) throw new StreamEnded('lost')
  if (begun.drawnPicture !== null) await deletePictureLater(context, db, begun.drawnPicture)
  await publishVisibility(db, row.id)
}

/** Publishes the video of a stream with its first part: the one that the channel has announced for now, or else a new one. Throws `StreamEnded` if it cannot be published. */
export async function beginStream(
  context: Context,
  channel: StreamChannel,
  { init, format }: Beginning,
  part: Part,
): Promise<BegunStream> {
  const announced = await findDue(context.db, channel.userId, context.clock.now())
  const isAnnounced = announced !== undefined && announced.startsAt <= context.clock.now()
  const videoId = announced?.videoId ?? newId()
  const sourceKey = growingKeyOf(videoId, newId())
  const { keepsRecording, description = '', title, visibility } = announced ?? channel.template
  const isFromBrowser = channel.keyHash === undefined
  const insert = { videoId, channelId: channel.userId, format, init, keepsRecording, isFromBrowser }
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
        title,
        description,
        visibility,
        videoFile: begun.path,
        sourceKey,
        isStored: true,
        keepsMetadata: true,
        thumbnail: storeFrame(context, begun.path, signal),
        source: Promise.resolve(source),
        live: async (db) => {
          await insertStream(db, { ...insert, now: context.clock.now() })
          // from its time on, those who wait for it need no proof that the stream lasts
          if (isAnnounced) await announceVideo({ ...context, db }, videoId)
        },
        updateRow: announced && ((db, row) => updateAnnounced(context, db, row, announced)),
      },
      signal,
      { isPrepared: false },
    )
    if (announced) await showFiles(context, videoId)
    return { videoId, sourceKey, recording, position, keepsRecording, isAnnounced }
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
