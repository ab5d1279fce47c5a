import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { type Keep, toSourceTime } from '@kinora/contract/videos/cut-times.ts'
import type { Context } from '../../../../context/context.ts'
import { readFrame, readFrameAt } from '@kinora/media/pictures/frame.ts'
import { toolsOf } from '@kinora/media/process/ffmpeg.ts'
import { sniffFileFormat } from '@kinora/media/probe/probe.ts'
import { type SourceInfo, SourceRefused } from '@kinora/media/source/source-info.ts'
import { ownName } from '@kinora/platform/process-identity.ts'
import { discardPicture, type PictureContext, storePicture } from '../../../pictures/actions.ts'
import { unacceptedFile } from '../rules.ts'
import { limitInspections } from './limit-inspections.ts'

/** Returns the id of the stored picture. Throws `invalid` if the file is no picture. */
export function storeThumbnail(context: PictureContext, file: string): Promise<string> {
  return storePicture(context, file, 'thumbnail', videoErrors.pictureTypes)
}

/**
 * Stores a frame of a video file as its thumbnail and returns the id of the picture. That of a cut video is one that viewers
 * see.
 */
export async function storeFrame(
  context: PictureContext & Pick<Context, 'config' | 'siteSettings'>,
  videoFile: string,
  signal: AbortSignal,
  video?: { source: SourceInfo; cut: Keep },
): Promise<string> {
  const { config, siteSettings } = context
  const format = await sniffFileFormat(videoFile)
  if (!format)
    throw new SourceRefused('unknown_container', unacceptedFile(siteSettings.current.acceptedContainers))
  const account = context.sender?.account ?? ''
  const media = { format, path: videoFile, signal }
  const tools = toolsOf(config)
  const read = () =>
    video?.cut
      ? readFrameAt(tools, { ...media, source: video.source }, toSourceTime(video.cut, 0))
      : readFrame(tools, media)
  const frame = await limitInspections(account, read, signal)
  const file = path.join(config.dataDir, 'incoming', ownName())
  try {
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, frame)
    return await storeThumbnail(context, file)
  } finally {
    await rm(file, { force: true })
  }
}

/**
 * A thumbnail that is stored while the video still arrives: a form sends it first, and its sender waits for the work
 * after the last byte. Deletes the picture when disposed of, unless it was taken.
 */
export class EarlyThumbnail {
  readonly #context: PictureContext
  #stored: Promise<string> | undefined

  constructor(context: PictureContext) {
    this.#context = context
  }

  begin(file: string): void {
    this.#stored = storeThumbnail(this.#context, file)
    // Awaited by `take`; until then a failure must not be an unhandled rejection.
    this.#stored.catch(() => undefined)
  }

  /** Returns the picture id, which the caller owns from now on. Throws `invalid` if the file is not an image. */
  take(): Promise<string> {
    const stored = this.#stored
    if (!stored) throw new Error('No thumbnail was received')
    this.#stored = undefined
    return stored
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A thumbnail that failed to store leaves nothing to discard.
    const id = await this.#stored?.catch(() => undefined)
    if (id !== undefined) await discardPicture(this.#context, id)
  }
}
