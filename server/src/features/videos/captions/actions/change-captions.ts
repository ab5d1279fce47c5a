import { videoErrors } from '@kinora/contract/videos/errors.ts'
import type { CaptionsChanges, CaptionsFields } from '@kinora/contract/videos/captions.ts'
import { maxCaptions } from '@kinora/contract/videos/captions.ts'
import type { z } from 'zod'
import type { ChannelRole } from '@kinora/contract/channel-roles.ts'
import type { Db } from '../../../../context/database.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { newId } from '@kinora/platform/ids.ts'
import { assertStillHasRole } from '../../collaborators/actions.ts'
import { lockOwnVideo } from '../../videos/actions/change-video.ts'
import * as queries from '../queries.ts'
import { editedLabelOf, labelOf } from '../rules.ts'

interface OwnVideo {
  videoId: string
  /** The owner of its channel. */
  userId: string
  /** The person who does it, where that may be somebody else who works on the channel. */
  actorId?: string
  /** The role that this person needs; an editor's by default. */
  role?: ChannelRole
}

/** Does something to an own video while nobody else changes it. Throws `not_found`, or `forbidden` for anybody else. */
export function withOwnVideo<Result>(
  db: Db,
  { videoId, userId, actorId = userId, role = 'editor' }: OwnVideo,
  work: (transaction: Db) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (transaction) => {
    await lockOwnVideo(transaction, videoId, userId)
    await assertStillHasRole(transaction, actorId, userId, role)
    return work(transaction)
  })
}

/** Adds captions to an own video. `content` is WebVTT. Throws `invalid` where there are too many. */
export function addCaptions(
  db: Db,
  video: OwnVideo,
  { language, label, isDefault, fileTrack }: z.output<typeof CaptionsFields>,
  content: string,
) {
  const { videoId } = video
  return withOwnVideo(db, video, async (transaction) => {
    const known = await queries.listAllCaptions(transaction, videoId)
    if (known.length >= maxCaptions)
      throw new AppError(videoErrors.captionsTrackLimit, { limit: maxCaptions }, { path: 'captions' })
    const isOfFile = known.some((track) => track._id === null && track.fileTrack === fileTrack)
    if (fileTrack !== undefined && !isOfFile)
      throw new AppError(videoErrors.noSuchFileTrack, { path: 'fileTrack' })
    if (isDefault === 'true') await queries.clearDefault(transaction, videoId)
    await queries.insertCaptions(transaction, {
      id: newId(),
      videoId,
      language,
      label: labelOf(label, language),
      isDefault: isDefault === 'true',
      fileTrack: fileTrack ?? null,
      content,
    })
    return queries.listAllCaptions(transaction, videoId)
  })
}

/** Changes captions of an own video; what is undefined stays. Automatic ones become those of the owner. `content` is WebVTT. Throws `conflict` if `url` is outdated. */
export function changeCaptions(
  db: Db,
  video: OwnVideo,
  id: string,
  { language, label, isDefault, url }: z.output<typeof CaptionsChanges>,
  content: string | undefined,
) {
  const { videoId } = video
  return withOwnVideo(db, video, async (transaction) => {
    const known = await queries.listAllCaptions(transaction, videoId)
    const track = known.find(({ _id }) => _id === id)
    if (url !== undefined && track && track.url !== url) throw new AppError(videoErrors.captionsChanged)
    const isEdited = content !== undefined || language !== undefined || Boolean(label)
    const edited = label || (isEdited && track?.isAutomatic ? editedLabelOf(track.label) : undefined)
    if (isDefault === 'true') await queries.clearDefault(transaction, videoId)
    await queries.updateCaptions(
      transaction,
      { videoId, id },
      {
        ...(language === undefined ? {} : { language }),
        ...(edited ? { label: edited } : {}),
        ...(isDefault === undefined ? {} : { isDefault: isDefault === 'true' }),
        ...(content === undefined ? {} : { content }),
        ...(isEdited ? { isAutomatic: false } : {}),
      },
    )
    return queries.listAllCaptions(transaction, videoId)
  })
}
