import { AudioExhausted } from '@kinora/media/encode/encode.ts'
import { FfmpegError } from '@kinora/media/process/ffmpeg.ts'
import { LastAttemptInterrupted } from '@kinora/platform/jobs/jobs.ts'
import { isConnectionLost } from '@kinora/platform/db/errors/connection-lost.ts'
import { isDiskFull } from '@kinora/platform/files/disk-full.ts'
import { describeError } from '@kinora/platform/errors.ts'
import { isStorageFailure } from '@kinora/platform/storage/storage.ts'

/** The beginning of some tracks, or of all that are encoded, cannot be encoded. */
export class TracksFailed extends Error {
  /** Names in playlists. */
  readonly tracks: string[]
  readonly areAll: boolean

  constructor(tracks: string[], areAll: boolean, cause: unknown) {
    super(`${tracks.join(', ')} could not be encoded: ${describeError(cause)}`, { cause })
    this.name = 'TracksFailed'
    this.tracks = tracks
    this.areAll = areAll
  }
}

/** Whether this machine failed instead of the video. A killed ffmpeg may have met the memory limit of a full machine. */
export function isMachineFailure(error: unknown): boolean {
  const wasKilled = error instanceof FfmpegError && error.wasKilled
  return wasKilled || isStorageFailure(error) || isConnectionLost(error) || isDiskFull(error)
}

/** Whether the file is the cause, so that another attempt would fail like this one. A slow machine is none of its faults. */
export function isFileFailure(error: unknown): boolean {
  return error instanceof AudioExhausted || (error instanceof FfmpegError && !error.isHostFailure)
}

/** Whether the next attempt would probably fail like the last ones, and cost as much: they took too long, or ended their workers. */
export function isExpectedAgain(error: unknown): boolean {
  const isOutOfTime =
    (error instanceof DOMException && error.name === 'TimeoutError') ||
    (error instanceof FfmpegError && error.timedOut)
  return isFileFailure(error) || isOutOfTime || error instanceof LastAttemptInterrupted
}
