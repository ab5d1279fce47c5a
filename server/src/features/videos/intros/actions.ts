import { introMaxSeconds } from '@kinora/contract/constants.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import type { Intros } from '@kinora/contract/videos/intros.ts'
import { AppError } from '@kinora/platform/errors.ts'
import type { Db } from '../../../context/database.ts'
import * as queries from './queries.ts'

/**
 * Chooses the intro and the outro of a channel, in a transaction. Throws `invalid` for a video that is not a short published one of the
 * channel, unless it was chosen before.
 */
export async function putIntros(db: Db, channelId: string, intros: Intros): Promise<void> {
  const before = await queries.getIntros(db, channelId)
  for (const [path, kind] of [
    ['introId', 'intro'],
    ['outroId', 'outro'],
  ] as const) {
    const videoId = intros[path]
    if (videoId === before[path]) continue
    if (videoId !== null && !(await queries.canIntroduce(db, channelId, videoId)))
      throw new AppError(videoErrors.introUnusable, { limit: introMaxSeconds }, { path })
    await queries.putIntro(db, channelId, kind, videoId)
  }
}
