import { z } from 'zod'
import type { Container } from '../source/container.ts'
import { languageName, languageTag } from '../plan/language.ts'
import type { AudioInfo, CaptionInfo, ChapterInfo, Rational, VideoInfo } from '../source/source-info.ts'
import { MAX_REORDERED_FRAMES, type StreamIndex } from '../plan/stream-index.ts'

const rational = z.string().transform((text): Rational => {
  const [num = 0, den = 1] = text.split('/').map(Number)
  return { num, den }
})
const seconds = z.coerce.number().optional()
const probedStream = z.object({
  index: z.number(),
  codec_type: z.string().optional(),
  codec_name: z.string().default('unknown'),
  codec_tag_string: z.string().optional(),
  profile: z.string().optional(),
  width: z.number().default(0),
  height: z.number().default(0),
  sample_aspect_ratio: z.string().optional(),
  pix_fmt: z.string().optional(),
  bits_per_raw_sample: z.string().optional(),
  color_range: z.string().optional(),
  color_space: z.string().optional(),
  color_primaries: z.string().optional(),
  color_transfer: z.string().optional(),
  field_order: z.string().optional(),
  r_frame_rate: rational.optional(),
  avg_frame_rate: rational.optional(),
  start_time: seconds,
  duration: seconds,
  sample_rate: z.coerce.number().optional(),
  channels: z.number().optional(),
  disposition: z
    .object({ default: z.number(), attached_pic: z.number(), timed_thumbnails: z.number() })
    .partial()
    .default({}),
  tags: z.record(z.string(), z.string()).default({}),
  side_data_list: z
    .array(
      z.object({
        side_data_type: z.string().optional(),
        rotation: z.number().optional(),
        displaymatrix: z.string().optional(),
      }),
    )
    .default([]),
})
const probedChapter = z.object({ start_time: seconds, tags: z.record(z.string(), z.string()).default({}) })
/** Output of ffprobe. */
export const probed = z.object({
  frames: z
    .array(z.object({ stream_index: z.number().optional(), best_effort_timestamp_time: seconds }))
    .default([]),
  streams: z.array(probedStream).default([]),
  chapters: z.array(probedChapter).default([]),
  format: z.object({ duration: seconds, start_time: seconds }).default({}),
})
export type Probed = z.infer<typeof probed>
export type ProbedStream = z.infer<typeof probedStream>
type ProbedChapter = z.infer<typeof probedChapter>

/** Whether the stream is an attached picture, such as a cover. */
export function isStillImage(stream: ProbedStream): boolean {
  return stream.disposition.attached_pic === 1 || stream.disposition.timed_thumbnails === 1
}

/** Describes the video stream. */
export function describeVideo(container: Container, stream: ProbedStream, index: StreamIndex): VideoInfo {
  const { rotation, isTransformed } = orientationOf(stream)
  const aspect = pixelAspect(stream.sample_aspect_ratio)
  const width = Math.max(1, Math.round(stream.width * aspect))
  const isTurned = rotation === 90 || rotation === 270
  const { startSeconds, endSeconds } = index.video
  const delay = (stream.start_time ?? startSeconds) - startSeconds
  const isDelayed = Math.abs(delay) > 1e-4 && Math.abs(delay) <= MAX_REORDERED_FRAMES / index.framesPerSecond
  return {
    codec: stream.codec_name,
    profile: stream.profile ?? null,
    codecString: isSizeTrue(stream, index) ? index.video.codecString : null,
    codedWidth: stream.width,
    codedHeight: stream.height,
    displayWidth: isTurned ? stream.height : width,
    displayHeight: isTurned ? width : stream.height,
    rotation,
    isTransformed,
    hasSquarePixels: aspect === 1,
    frameRate: frameRateOf(stream, index),
    isVariableFrameRate: index.isVariableFrameRate,
    pixelFormat: stream.pix_fmt ?? 'unknown',
    bitDepth: bitDepthOf(stream),
    isFullRange: stream.color_range === 'pc' || (stream.pix_fmt ?? '').startsWith('yuvj'),
    colorSpace: known(stream.color_space),
    colorPrimaries: known(stream.color_primaries),
    colorTransfer: known(stream.color_transfer),
    isHdr: isHdr(stream),
    isInterlaced: ['tt', 'bb', 'tb', 'bt'].includes(stream.field_order ?? ''),
    // An edit list hides frames before 0: they are decoded and not shown.
    startSeconds: container === 'mp4' ? Math.max(0, startSeconds) : startSeconds,
    endSeconds,
    // Of fragments with composition offsets below zero, ffmpeg delays the video, but not the audio.
    ...(isDelayed && { demuxerDelaySeconds: delay }),
  }
}

/** Container and coded size may differ by this where frames are cropped to whole blocks. */
const SIZE_SLACK = 16

/** Whether the container states the coded size. Playlists announce that size, and players fail on frames of another. */
function isSizeTrue(stream: ProbedStream, { video: { statedSize } }: StreamIndex): boolean {
  if (!statedSize) return true
  const [width, height] = statedSize
  return (
    width > 0 &&
    height > 0 &&
    Math.abs(width - stream.width) <= SIZE_SLACK &&
    Math.abs(height - stream.height) <= SIZE_SLACK
  )
}

/** Each track costs an encoder for the length of the video. */
const MAX_AUDIO_TRACKS = 16

/** The audio tracks that can be played. Of too many, the first ones and the default one. */
export function describeAudio(streams: ProbedStream[], index: StreamIndex, video: VideoInfo): AudioInfo[] {
  return streams
    .filter((stream) => stream.codec_type === 'audio')
    .map((stream, position) => {
      const indexed = index.audio[position]
      const start = stream.start_time ?? indexed?.startSeconds ?? 0
      return {
        position,
        codec: stream.codec_name,
        codecString: indexed?.codecString ?? null,
        channels: stream.channels ?? 0,
        sampleRate: stream.sample_rate ?? 0,
        language: languageTag(stream.tags['language']),
        isDefault: stream.disposition.default === 1,
        startSeconds: start,
        endSeconds:
          indexed?.endSeconds ?? (stream.duration === undefined ? video.endSeconds : start + stream.duration),
      }
    })
    .filter((track) => track.channels > 0 && track.sampleRate > 0)
    .toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault))
    .slice(0, MAX_AUDIO_TRACKS)
    .toSorted((a, b) => a.position - b.position)
}

/** Text subtitles; others are bitmaps, or in a form that browsers do not render. */
const captionCodecs = ['mov_text', 'webvtt', 'subrip', 'text']
const MAX_CAPTIONS = 32
const MAX_LABEL_CHARACTERS = 60

/** The caption tracks that browsers can render, the default one first. */
export function describeCaptions(streams: ProbedStream[]): CaptionInfo[] {
  return streams
    .filter((stream) => stream.codec_type === 'subtitle')
    .map((stream, position) => ({ stream, position }))
    .filter(({ stream }) => captionCodecs.includes(stream.codec_name))
    .toSorted((a, b) => (b.stream.disposition.default ?? 0) - (a.stream.disposition.default ?? 0))
    .slice(0, MAX_CAPTIONS)
    .map(({ stream: { tags }, position }) => {
      const language = languageTag(tags['language'])
      return { position, language, label: titleOf(tags) ?? languageName(language) ?? 'Subtitles' }
    })
}

const MAX_CHAPTERS = 500
const MAX_CHAPTER_TITLE_CHARACTERS = 200

/** The chapters within the video, in order; none where there is only one. `zeroSeconds` becomes 0. */
export function describeChapters(
  chapters: ProbedChapter[],
  { zeroSeconds, durationSeconds }: { zeroSeconds: number; durationSeconds: number },
): ChapterInfo[] {
  const found = chapters
    .flatMap(({ start_time, tags }) =>
      start_time === undefined ? [] : [{ startSeconds: Math.max(0, start_time - zeroSeconds), tags }],
    )
    .toSorted((a, b) => a.startSeconds - b.startSeconds)
    .filter(
      ({ startSeconds }, index, all) =>
        startSeconds < durationSeconds && startSeconds !== all[index - 1]?.startSeconds,
    )
    .slice(0, MAX_CHAPTERS)
    .map(({ startSeconds, tags }, index) => ({
      title: oneLine(tags['title'] ?? '', MAX_CHAPTER_TITLE_CHARACTERS) || `Chapter ${index + 1}`,
      startSeconds,
    }))
  return found.length > 1 ? found : []
}

/** Title of a stream, without the default names that muxers write. */
function titleOf(tags: Record<string, string>): string | undefined {
  const handler = tags['handler_name'] ?? ''
  const title = tags['title'] ?? (/handler|apple|gpac|bento/i.test(handler) ? '' : handler)
  return oneLine(title, MAX_LABEL_CHARACTERS) || undefined
}

function oneLine(text: string, maxCharacters: number): string {
  const line = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return Array.from(line).slice(0, maxCharacters).join('')
}

function frameRateOf(stream: ProbedStream, index: StreamIndex): Rational {
  const measured = index.framesPerSecond
  if (!index.isVariableFrameRate) {
    for (const stated of [stream.r_frame_rate, stream.avg_frame_rate]) {
      if (stated && stated.den > 0 && Math.abs(stated.num / stated.den / measured - 1) < 0.01) return stated
    }
  }
  return { num: Math.max(1, Math.round(measured * 1000)), den: 1000 }
}

/** Side data that only HDR has. */
const hdrSideData = /^(Mastering display|Content light level|DOVI configuration)/

/** By the transfer; if the description leaves it out, by the side data. */
function isHdr({ color_transfer: transfer, side_data_list: sideData }: ProbedStream): boolean {
  return known(transfer) === null
    ? sideData.some(({ side_data_type: type }) => hdrSideData.test(type ?? ''))
    : transfer === 'smpte2084' || transfer === 'arib-std-b67'
}

function pixelAspect(text: string | undefined): number {
  const [num, den] = (text ?? '1:1').split(':').map(Number)
  const ratio = (num ?? 1) / (den ?? 1)
  // A ratio outside of this range is a broken header or an attack; such a video is shown with square pixels.
  return Number.isFinite(ratio) && ratio >= 0.2 && ratio <= 5 ? ratio : 1
}

/** An angle this close to a multiple of 90 counts as one, as in ffmpeg. */
const ANGLE_SLACK = 1

/** Of the display matrix. ffmpeg keeps the size of frames that it turns by another angle than a multiple of 90. */
function orientationOf({ side_data_list: sideData }: ProbedStream) {
  const { rotation: degrees = 0, displaymatrix = '' } =
    sideData.find((data) => data.rotation !== undefined) ?? {}
  const turned = Math.round(degrees / 90) * 90
  const isTilted = Math.abs(degrees - turned) > ANGLE_SLACK
  const rows = [...displaymatrix.matchAll(/^\w+: +(-?\d+) +(-?\d+)/gm)]
  const [[, a, b] = [], [, c, d] = []] = rows
  const isMirrored = Number(a) * Number(d) - Number(b) * Number(c) < 0
  return { rotation: isTilted ? 0 : (360 - (turned % 360)) % 360, isTransformed: isTilted || isMirrored }
}

function bitDepthOf(stream: ProbedStream): number {
  const stated = Number(stream.bits_per_raw_sample)
  if (stated > 0) return stated
  const named = /p(9|10|12|14|16)(le|be)?$/.exec(stream.pix_fmt ?? '')
  return named ? Number(named[1]) : 8
}

function known(color: string | undefined): string | null {
  return color === undefined || color === 'unknown' || color === 'reserved' ? null : color
}
