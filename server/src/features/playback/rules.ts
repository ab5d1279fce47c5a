import type { Container } from '../../media/container.ts'
import { audioName, SOURCE_RUNG, type Presentation } from '../../media/hls.ts'
import { type Rung, sourceRungStarts } from '../../media/ladder.ts'
import type { AudioPlan } from '../../media/timeline.ts'

/** Changes when segments of the same name would get other contents: caches keep them for good. */
export const LAYOUT = '1'

export const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl'

/** What can be asked of a track: its init segment or a numbered one. */
export type Part = 'init' | number

/** One file of the stream of a video. */
export interface SegmentName {
  videoId: string
  track: string
  part: Part
}

/** Where everything made from a video is kept: a cache, which may vanish at any moment. */
export function cachePrefix(videoId: string): string {
  return `segments/${videoId}/`
}

/** Where a made segment is kept. */
export function segmentKey({ videoId, track, part }: SegmentName): string {
  return `${cachePrefix(videoId)}${LAYOUT}/${track}/${partFile(part)}`
}

export function partFile(part: Part): string {
  return part === 'init' ? 'init.mp4' : `${part}.m4s`
}

/** Reads `init.mp4` or `12.m4s`. */
export function parsePart(file: string): Part | undefined {
  if (file === 'init.mp4') return 'init'
  const match = /^(0|[1-9]\d{0,6})\.m4s$/.exec(file)
  return match ? Number(match[1]) : undefined
}

/** How the files of a track come to be. */
export type Track =
  | { kind: 'source'; count: number }
  | { kind: 'copied_audio'; plan: AudioPlan; count: number }
  | { kind: 'encoded_audio'; plan: AudioPlan; count: number }
  | { kind: 'rung'; rung: Rung; count: number }

/** Finds a track of a presentation by its name in playlists. */
export function findTrack(presentation: Presentation, name: string): Track | undefined {
  const { sourceRung, timeline } = presentation
  if (name === SOURCE_RUNG) {
    return sourceRung
      ? { kind: 'source', count: sourceRungStarts(sourceRung, timeline).length - 1 }
      : undefined
  }
  const plan = presentation.audio.find((track) => audioName(track) === name)
  if (plan) return { kind: plan.isCopied ? 'copied_audio' : 'encoded_audio', plan, count: plan.segmentCount }
  const rung = presentation.rungs.find((candidate) => candidate.name === name)
  return rung ? { kind: 'rung', rung, count: timeline.segmentCount } : undefined
}

/** Whether a track has such a part. */
export function hasPart(track: Track, part: Part): boolean {
  return part === 'init' || part < track.count
}

/** Sound is encoded in stretches: starting the encoder costs more than a stretch of it. */
const AUDIO_STRETCH = 8

/** The stretch of audio segments that is made when one of them is missing. */
export function audioStretch(plan: AudioPlan, part: Part): { from: number; to: number } {
  const from = part === 'init' ? 0 : part - (part % AUDIO_STRETCH)
  return { from, to: Math.min(from + AUDIO_STRETCH, plan.segmentCount) }
}

export const sourceType: Record<Container, string> = {
  mp4: 'video/mp4',
  webm: 'video/webm',
  ogg: 'video/ogg',
}

/** The name under which an uploaded file is served. */
export const sourceFile: Record<Container, string> = {
  mp4: 'source.mp4',
  webm: 'source.webm',
  ogg: 'source.ogv',
}
