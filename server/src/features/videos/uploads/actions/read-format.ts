import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Context } from '../../../../context/context.ts'
import type { FileFormat } from '@kinora/contract/videos/file-formats.ts'
import { toolsOf } from '@kinora/media/process/ffmpeg.ts'
import { probe, sniffFileFormat } from '@kinora/media/probe/probe.ts'
import { convertAudio, convertVideo } from '@kinora/media/remux/convert.ts'
import { SourceRefused, type SourceInfo } from '@kinora/media/source/source-info.ts'
import { ownName } from '@kinora/platform/process-identity.ts'
import { unacceptedFile } from '../rules.ts'
import { limitInspections } from './limit-inspections.ts'

/** Formats that are converted to MP4. */
const convertedFormats: readonly FileFormat[] = ['avi', 'ts', 'mp3']

/**
 * Inspects a file without a conversion, to say whether it can be published. Throws `SourceRefused` like `readFormat`, for
 * formats that need a conversion only if the site does not accept them. `plain` is the result of `probePlain`.
 */
export async function assertReadable(
  context: Pick<Context, 'config' | 'siteSettings'>,
  { videoFile, ownerId, plain }: { videoFile: string; ownerId: string; plain: SourceInfo | undefined },
  signal: AbortSignal,
): Promise<void> {
  const { acceptedContainers: accepted } = context.siteSettings.current
  const format = await sniffFileFormat(videoFile)
  if (format && convertedFormats.includes(format) && accepted.includes(format)) return
  const inspected = plain && Promise.resolve(plain)
  await using _ = await readFormat(context, { videoFile, ownerId, inspected }, signal)
}

/** A video file that can be stored, with its inspection. Disposal deletes a converted file. */
export interface ReadableFile extends AsyncDisposable {
  videoFile: string
  source: SourceInfo
  isConverted: boolean
}

/**
 * Inspects an uploaded file, after a conversion to MP4 if its format needs one. `inspected` is the running inspection of
 * the file as it is. Throws `SourceRefused` for formats that the site does not accept.
 */
export async function readFormat(
  context: Pick<Context, 'config' | 'siteSettings'>,
  {
    videoFile,
    ownerId,
    inspected,
  }: { videoFile: string; ownerId: string; inspected?: Promise<SourceInfo> | undefined },
  signal: AbortSignal,
): Promise<ReadableFile> {
  const { dataDir } = context.config
  const { acceptedContainers: accepted } = context.siteSettings.current
  const tools = toolsOf(context.config)
  // A failure is of no interest if the file is converted.
  inspected?.catch(() => undefined)
  const format = await sniffFileFormat(videoFile)
  const unaccepted = new SourceRefused('unknown_container', unacceptedFile(accepted))
  // M4A is MP4 with audio only
  if (!format || !(accepted.includes(format) || (format === 'm4a' && accepted.includes('mp4'))))
    throw unaccepted

  const target = path.join(dataDir, 'incoming', ownName())
  const conversion = { tools, format, path: videoFile, target, signal }
  const converted = async (convert: typeof convertVideo) => {
    try {
      await mkdir(path.dirname(target), { recursive: true })
      const convertAndProbe = async () => {
        await convert(conversion)
        return probe(tools, target, signal)
      }
      const source = await limitInspections(ownerId, convertAndProbe, signal)
      return {
        videoFile: target,
        source,
        isConverted: true,
        [Symbol.asyncDispose]: () => rm(target, { force: true }),
      }
    } catch (error) {
      await rm(target, { force: true })
      throw error
    }
  }
  if (format === 'avi' || format === 'ts') return await converted(convertVideo)
  if (format === 'mp3') return await converted(convertAudio)
  try {
    const source = await (inspected ??
      limitInspections(ownerId, () => probe(tools, videoFile, signal), signal))
    return { videoFile, source, isConverted: false, [Symbol.asyncDispose]: async () => undefined }
  } catch (error) {
    if (!(error instanceof SourceRefused) || error.reason !== 'no_video') throw error
    // recorders give their M4A files the brands of MP4
    if (accepted.includes('m4a') && (format === 'm4a' || format === 'mp4'))
      return await converted(convertAudio)
    throw unaccepted
  }
}
