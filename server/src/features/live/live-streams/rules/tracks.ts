import type { Part } from '@kinora/live/recording/recorder.ts'
import { PASSTHROUGH_NAME, planPresentation, type Presentation } from '@kinora/media/plan/hls.ts'
import type { SourceInfo } from '@kinora/media/source/source-info.ts'
import { LIVE_FOLDER } from '../../../videos/playback/rules.ts'
import type { LivePart } from '../queries/parts.ts'

/** The sound of a live stream in its playlists. */
export const SOUND = 'audio-0'

/** How a stream is played: the original, its sound as it is, also the Opus of browsers, and renditions with fewer bits. */
export function planLive(source: SourceInfo): Presentation {
  const { passthrough, ...planned } = planPresentation(source)
  const isOpus = ({ position }: Presentation['audio'][number]) =>
    source.audio.some((track) => track.position === position && track.codec === 'opus')
  return {
    ...planned,
    passthrough,
    renditions: planned.renditions.filter(({ bandwidth }) => bandwidth < (passthrough?.bandwidth ?? 0)),
    av1: [],
    audio: planned.audio
      .filter(({ isLowBitrate }) => !isLowBitrate)
      .map((plan) => (isOpus(plan) ? { ...plan, isCopied: true, codecString: 'opus' } : plan))
      .filter(({ isCopied }) => isCopied),
  }
}

/** The name of an encoded part. */
export const liveSegment = (videoId: string, track: string, part: 'init' | number) => ({
  videoId,
  folder: LIVE_FOLDER,
  track,
  part,
})

/** The tracks of a stream in its playlists: the original, its sound, or a rendition. */
export const hasTrack = ({ renditions }: { renditions: readonly string[] }, track: string): boolean =>
  track === PASSTHROUGH_NAME || track === SOUND || renditions.includes(track)

/** Whether a track has to be encoded. */
export const isEncoded = (track: string): boolean => track !== PASSTHROUGH_NAME && track !== SOUND

export interface Segment {
  part: number
  seconds: number
  file: number
  position: number
  bytes: number
}

/** The segments of a track: of the sound, those in which there is any. Of a rendition, what each is encoded from. */
export function segmentsOfTrack(parts: readonly LivePart[], track: string): (Segment & LivePart)[] {
  return parts.flatMap((each) => {
    const { position, videoBytes, audioBytes } = each
    if (track !== SOUND)
      return { ...each, seconds: (each.endMicros - each.startMicros) / 1e6, bytes: videoBytes }
    if (audioBytes === 0) return []
    const seconds = (each.audioEndMicros - each.audioStartMicros) / 1e6
    return { ...each, seconds, position: position + videoBytes, bytes: audioBytes }
  })
}

/** Times in microseconds, as they are stored. */
export function microsOf(
  times: Pick<Part, 'startSeconds' | 'endSeconds' | 'audioStartSeconds' | 'audioEndSeconds'>,
): Pick<LivePart, 'startMicros' | 'endMicros' | 'audioStartMicros' | 'audioEndMicros'> {
  const micros = (seconds: number) => Math.round(seconds * 1e6)
  return {
    startMicros: micros(times.startSeconds),
    endMicros: micros(times.endSeconds),
    audioStartMicros: micros(times.audioStartSeconds),
    audioEndMicros: micros(times.audioEndSeconds),
  }
}

/** The later end of the video and audio of a part. */
export const endSecondsOf = ({ endMicros, audioEndMicros }: LivePart): number =>
  Math.max(endMicros, audioEndMicros) / 1e6

/** The part with a number. Numbers grow, and some may be missing. */
export function findPart(parts: readonly LivePart[], number: number): LivePart | undefined {
  let at = Math.min(number, parts.length - 1)
  while (at > 0 && (parts[at]?.part ?? 0) > number) at -= 1
  return parts[at]?.part === number ? parts[at] : undefined
}

/** A file of a track. */
export type LiveFile = 'index' | 'low-latency' | 'init' | number | { part: number; chunk: number }

/** The file with a name, such as `init.mp4`, `12.m4s` or, of a chunk, `12.3.m4s`. */
export function parseLiveFile(file: string): LiveFile | undefined {
  if (file === 'index.m3u8') return 'index'
  if (file === 'low-latency.m3u8') return 'low-latency'
  if (file === 'init.mp4') return 'init'
  const [, part, chunk] = /^(0|[1-9]\d{0,6})(?:\.(0|[1-9]\d{0,3}))?\.m4s$/.exec(file) ?? []
  if (part === undefined) return undefined
  return chunk === undefined ? Number(part) : { part: Number(part), chunk: Number(chunk) }
}
