import type { Container } from '@kinora/media/source/container.ts'
import {
  audioName,
  findRendition,
  SEGMENT_FORMAT,
  PASSTHROUGH_NAME,
  type Presentation,
} from '@kinora/media/plan/hls.ts'
import {
  type Border,
  CUT_SOURCE_NAME,
  cutParts,
  cutPresentation,
  type KeptRange,
} from '@kinora/media/plan/cut.ts'
import { keptSeconds } from '@kinora/contract/videos/cut-times.ts'
import type { SegmentRange } from '@kinora/media/encode/ffmpeg-args.ts'
import { MAX_AV1_LINES, planCutRendition, type Rendition } from '@kinora/media/plan/renditions.ts'
import type { CaptionInfo, Gap, SourceInfo } from '@kinora/media/source/source-info.ts'
import { hasThumbnails, planStoryboard, type Storyboard } from '@kinora/media/encode/storyboard.ts'
import { type AudioPlan, SEGMENT_SECONDS, type Timeline } from '@kinora/media/plan/timeline.ts'
import { type StorageKey, storagePrefixes } from '../../../context/storage-keys.ts'
import { formatOf, nameInCut } from '../videos/rules.ts'

export const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl'

/** A segment at the border of a range that viewers see. */
export type BorderPart = { name: string; border: Border }

/** Part of a track: its init segment, a numbered segment, or one at a border. */
export type Part = 'init' | number | BorderPart

/** One file of the stream of a video. */
export interface SegmentName {
  videoId: string
  /** Of the file that the video had. */
  folder: string
  track: string
  part: Part
}

/** Storage key of a segment. */
export function segmentKey({ videoId, folder, track, part }: SegmentName): StorageKey {
  return `${segmentsOf(videoId, folder)}${track}/${partFile(track, part)}`
}

/** The part of a segment's name that names its file. */
export const fileOf = ({ id, folder }: { id: string; folder: string }) => ({ videoId: id, folder })

/** Folder of the encoded parts of a live stream: the segments of its recording have other borders. */
export const LIVE_FOLDER = 'live'

/** Storage prefix of all segments of one file of a video. */
export const segmentsOf = (videoId: string, folder: string): StorageKey =>
  `${storagePrefixes.segments}${videoId}/${folder}/`

/**
 * Priority of a newly requested segment. The first segment of a video or an address precedes the second one of any
 * other, so that a flood does not delay others.
 */
export function segmentPriority(waiting: { ofVideo: number; ofAddress: number }): number {
  return -Math.max(waiting.ofVideo, waiting.ofAddress)
}

/** Segments that a video or an address waits for before they count as many: players request the next few ahead. */
const fewSegments = 4

/**
 * CPU niceness of encoding a requested segment. Encoding uses all of the CPU for seconds, so many requests leave room for
 * pages, searches and uploads; somebody who waits for a few segments is served like them.
 */
export const segmentNiceness = (priority: number): number => (priority > -fewSegments ? 0 : 5)

/**
 * The storyboard track. Must change with the size of thumbnails: stored sheets of another size do not match the cues.
 */
export const STORYBOARD = 'storyboard2'

/** The captions track: each part is one language. */
export const CAPTIONS = 'captions'

/** File extensions of numbered parts that are not segments, by kind and name of the track. */
const extensions: Record<string, string> = { storyboard: 'jpg', [STORYBOARD]: 'jpg', [CAPTIONS]: 'vtt' }

/** The file name of a part, in URLs and in storage. */
export function partFile(track: string, part: Part): string {
  if (part === 'init') return 'init.mp4'
  if (typeof part === 'object') return `${part.name}.m4s`
  return `${part}.${extensions[track.split('-')[0] ?? ''] ?? 'm4s'}`
}

/** How the files of a track are produced. */
export type Track =
  | { kind: 'source'; count: number }
  | { kind: 'copied_audio'; plan: AudioPlan; count: number }
  | { kind: 'encoded_audio'; plan: AudioPlan; count: number }
  | { kind: 'rendition'; rendition: Rendition; count: number }
  | { kind: 'storyboard'; name: string; storyboard: Storyboard; count: number }
  | { kind: 'captions'; captions: CaptionInfo[]; count: number }

/** A source, its presentation, and the ranges that viewers see. */
export interface Playable {
  source: SourceInfo
  presentation: Presentation
  cut: KeptRange[] | null
}

/** The tracks that viewers of a video get. */
export const shownPresentation = ({ presentation, cut }: Playable): Presentation =>
  cut ? cutPresentation(presentation) : presentation

/** The length of what viewers see. */
export const shownSeconds = ({ presentation, cut }: Playable): number =>
  cut ? keptSeconds(cut) : presentation.timeline.durationSeconds

/**
 * A video as a track of that name shows it: captions are stored once, for every cut, and the storyboard without the name of a
 * cut is that of those who edit the video.
 */
export const shownBy = <Video extends Playable>(playing: Video, name: string): Video =>
  name === STORYBOARD || name === CAPTIONS ? { ...playing, cut: null } : playing

/** Finds a track by its name in playlists. */
export function findTrack(playing: Playable, name: string): Track | undefined {
  const { source, presentation, cut } = playing
  const { passthrough, timeline } = shownPresentation(playing)
  if (name === nameInCut(STORYBOARD, cut)) {
    if (cut && !hasThumbnails(source, timeline, cut)) return undefined
    const storyboard = planStoryboard(source.video, shownSeconds(playing))
    return { kind: 'storyboard', name, storyboard, count: storyboard.sheetCount }
  }
  if (name === CUT_SOURCE_NAME) {
    if (!cut || !passthrough) return undefined
    return { kind: 'rendition', rendition: planCutRendition(source, timeline, passthrough, name), count: 0 }
  }
  if (name === nameInCut(CAPTIONS, cut)) {
    const captions = source.captions ?? []
    return { kind: 'captions', captions, count: captions.length }
  }
  if (name === PASSTHROUGH_NAME) {
    return passthrough ? { kind: 'source', count: passthrough.cutsMicros.length } : undefined
  }
  const plan = presentation.audio.find((track) => audioName(track) === name)
  if (plan) return { kind: plan.isCopied ? 'copied_audio' : 'encoded_audio', plan, count: plan.segmentCount }
  const rendition = findRendition(presentation, name)
  return rendition ? { kind: 'rendition', rendition, count: timeline.segmentCount } : undefined
}

/** Size of the boxes around the frames of a segment, and of an init segment. */
const MUXING_BYTES = 64 * 1024

/** Estimated maximum size of a remuxed segment. */
export function passthroughBytes({ passthrough, timeline }: Presentation, track: Track, part: Part): number {
  if (part === 'init') return MUXING_BYTES
  // a border is shorter than two segments
  if (track.kind === 'copied_audio') return MUXING_BYTES + (track.plan.bitrate * 2 * SEGMENT_SECONDS) / 8
  if (typeof part === 'object') return 0
  if (track.kind !== 'source' || !passthrough) return 0
  const { cutsMicros, bandwidth } = passthrough
  const endSeconds = timeline.zeroSeconds + timeline.durationSeconds
  const cut = (index: number) => (cutsMicros[index] ?? endSeconds * 1e6) / 1e6
  return MUXING_BYTES + Math.ceil(((cut(part + 1) - cut(part)) * bandwidth) / 8)
}

/** Whether a track is an AV1 rendition. */
export const isAv1 = (track: Track) => track.kind === 'rendition' && track.rendition.codec === 'av1'

/**
 * The `Link` header of the ordinary playlist: names the AV1 one, with the values of its largest rendition that browsers pass
 * to `decodingInfo`. Undefined if there is no AV1 rendition.
 * The parameters are extensions (RFC 8288, section 3.4.2).
 */
export function av1Link({ av1 }: Presentation): string | undefined {
  const largest = av1.at(-1)
  if (!largest) return undefined
  const { codecs, width, height, framesPerSecond, averageBandwidth } = largest
  const rate = `framerate=${framesPerSecond.toFixed(3)}; bitrate=${averageBandwidth}`
  return `<av1.m3u8>; rel="alternate"; codecs="${codecs}"; width=${width}; height=${height}; ${rate}`
}

/** Whether the files of a track are encoded once and stored until they are evicted. */
export function isCached({ kind }: Track): boolean {
  return kind !== 'source' && kind !== 'copied_audio'
}

/** Whether a track is a stream with a playlist, an init segment, and segments in order of time. */
export function isStream({ kind }: Track): boolean {
  return kind !== 'storyboard' && kind !== 'captions'
}

/** Parses the file name of a part: `init.mp4`, `12.m4s`, `3.jpg` of a storyboard, or `0.vtt` of captions. */
export function parsePart(track: Track, file: string): Part | undefined {
  if (file === 'init.mp4') return 'init'
  const match = /^(0|[1-9]\d{0,6})\.(m4s|jpg|vtt)$/.exec(file)
  const isRight = match?.[2] === (extensions[track.kind] ?? 'm4s')
  return isRight ? Number(match?.[1]) : undefined
}

export function hasPart(track: Track, part: Part): boolean {
  if (typeof part === 'object') return isStream(track)
  return part === 'init' ? isStream(track) : part < track.count
}

/**
 * The part of a track that a file holds; undefined if it is none that viewers see. This alone decides what is sent of a cut
 * video.
 */
export function findPart(playing: Playable, track: Track, name: string, file: string): Part | undefined {
  if (!playing.cut || !isStream(track)) {
    const part = parsePart(track, file)
    return part !== undefined && hasPart(track, part) ? part : undefined
  }
  if (file === 'init.mp4') return 'init'
  return partsByFile(playing.presentation, playing.cut, name).get(file)
}

interface KnownParts {
  cut: KeptRange[]
  byTrack: Map<string, Map<string, Part>>
}

/** Parts of the last cut that was asked for of each presentation: naming borders takes time, and there are many requests. */
const knownParts = new WeakMap<Presentation, KnownParts>()

/** The parts of a cut track by the names of their files. */
function partsByFile(presentation: Presentation, cut: KeptRange[], name: string): Map<string, Part> {
  let known = knownParts.get(presentation)
  if (known?.cut !== cut) {
    known = { cut, byTrack: new Map() }
    knownParts.set(presentation, known)
  }
  const found = known.byTrack.get(name)
  if (found) return found
  const ofSource = name === CUT_SOURCE_NAME
  const parts = cutParts(presentation, cut, ofSource ? PASSTHROUGH_NAME : name)?.flat() ?? []
  const files = new Map<string, Part>()
  for (const part of parts) {
    if (part.kind === 'segment' && !ofSource) files.set(`${part.index}.m4s`, part.index)
    if (part.kind === 'border' && (ofSource || name !== PASSTHROUGH_NAME))
      files.set(`${part.name}.m4s`, { name: part.name, border: part.border })
  }
  // tracks are few, and only names of tracks get here
  known.byTrack.set(name, files)
  return files
}

export const sourceType: Record<Container, string> = {
  mp4: 'video/mp4',
  webm: 'video/webm',
  ogg: 'video/ogg',
}

/** Segments of one run: one decoding for all renditions, and one start of the audio encoder. */
const RUN_SEGMENTS = 8

interface PlannedRuns {
  timeline: { segmentCount: number }
  audio: { segmentCount: number; isCopied: boolean }[]
}

/** Number of runs in which a video is prepared; each covers a range of the video and of encoded audio. */
export function countRuns({ timeline, audio }: PlannedRuns): number {
  const encoded = audio.filter(({ isCopied }) => !isCopied)
  return runOf(Math.max(timeline.segmentCount, ...encoded.map(({ segmentCount }) => segmentCount)) - 1) + 1
}

/** Number of runs of the video alone. */
export const countVideoRuns = (timeline: PlannedRuns['timeline']) => countRuns({ timeline, audio: [] })

/** The run that a segment belongs to. */
export function runOf(part: number): number {
  return Math.floor(part / RUN_SEGMENTS)
}

/** The segments of a run in a track of this length; empty if the track has ended before. */
export function runRange({ segmentCount }: { segmentCount: number }, run: number): SegmentRange {
  return { from: run * RUN_SEGMENTS, to: Math.min((run + 1) * RUN_SEGMENTS, segmentCount) }
}

/**
 * Number of queued or running runs of a video; each enqueues the one this far behind it. More would flood the queue
 * with a video that is days long.
 */
export const RUNS_AT_ONCE = 16

/** Runs of an owner's earlier video that are prepared before the first run of the next one. */
const RUNS_AHEAD = 8

/** Priority of a run: early runs before late ones, and the first videos of every owner before further ones of any. */
export function runPriority(run: number, preparedBefore = 0): number {
  return -(run + RUNS_AHEAD * preparedBefore)
}

/** Segments of each rendition that are encoded right after the upload, for the first viewers. */
export const FIRST_SEGMENTS = 2

/** Videos that get AV1 renditions: those with so many views within the last days, up to 1080 lines. */
export const POPULAR = { days: 7, minViews: 100, maxLines: MAX_AV1_LINES }

/** Message to the owner about a truncated or damaged video; null for an intact one. */
export function damageReason(
  source: Pick<SourceInfo, 'isBrokenOff' | 'videoGaps' | 'audioGaps'>,
  timeline: Pick<Timeline, 'zeroSeconds' | 'durationSeconds'>,
): string | null {
  const at = (seconds: number) => minutesAndSeconds(seconds - timeline.zeroSeconds)
  const lost = source.videoGaps?.find(({ toSeconds }) => toSeconds <= timeline.zeroSeconds)
  const places = (videoGaps: Gap[]) => {
    const named = videoGaps.map(({ fromSeconds, toSeconds }) => `from ${at(fromSeconds)} to ${at(toSeconds)}`)
    const more = named.length > MAX_LISTED_GAPS ? ` and in ${named.length - MAX_LISTED_GAPS} more places` : ''
    return `${named.slice(0, MAX_LISTED_GAPS).join(', ')}${more}`
  }
  const videoGaps = (source.videoGaps ?? []).filter((gap) => gap !== lost)
  const endSeconds = source.isBrokenOff ? timeline.zeroSeconds + timeline.durationSeconds : Infinity
  const audioGaps = (source.audioGaps ?? []).filter(
    ({ fromSeconds }) => fromSeconds < endSeconds - TRUNCATED_SECONDS,
  )
  const sentences = [
    ...(lost
      ? [
          `The file is damaged in its first ${minutesAndSeconds(lost.toSeconds - lost.fromSeconds)}; playback starts after that.`,
        ]
      : []),
    ...(videoGaps.length > 0 ? [`The file is damaged ${places(videoGaps)}; the picture freezes there.`] : []),
    ...(audioGaps.length > 0 ? [`Its audio is damaged ${places(audioGaps)} and silent there.`] : []),
    ...(source.isBrokenOff
      ? [`The file is truncated at ${minutesAndSeconds(timeline.durationSeconds)} and plays up to there.`]
      : []),
  ]
  return sentences.length > 0 ? sentences.join(' ') : null
}

const MAX_LISTED_GAPS = 3
/**
 * Maximum interleaving distance of audio and video in a file. An audio gap that begins this close to the end is a part
 * of the truncation.
 */
const TRUNCATED_SECONDS = 2

function minutesAndSeconds(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), Math.floor(seconds % 60)]
  return `${String(minutes).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}

/** The stored files of one track of a video. */
export interface CachedTrack {
  videoId: string
  /** Segments of other formats than `SEGMENT_FORMAT` are never requested again. */
  folder: string
  track: string
  sizeBytes: number
  /** Time of the last request of any of it, else of the upload; null if it belongs to no video. */
  usedAt: Date | null
  wasRequested: boolean
}

/** A use is recorded again after this time: eviction needs no higher resolution. */
export const RECORD_USE_EVERY_MS = 10 * 60_000

/** Tracks requested within this time may be playing. Longer than the interval at which uses are recorded. */
const WATCHED_MS = RECORD_USE_EVERY_MS + 5 * 60_000

/**
 * Chooses tracks to delete for the given number of bytes: first those of other segment formats, then the least recently
 * used, and none that is being watched.
 */
export function chooseEvictions(tracks: CachedTrack[], bytesToFree: number, now: Date): CachedTrack[] {
  const chosen: CachedTrack[] = []
  let freed = 0
  const at = ({ folder, usedAt }: CachedTrack) =>
    formatOf(folder) === SEGMENT_FORMAT ? (usedAt?.getTime() ?? 0) : -1
  const watchedSince = now.getTime() - WATCHED_MS
  const idle = tracks.filter((track) => !track.wasRequested || at(track) < watchedSince)
  for (const track of idle.toSorted((a, b) => at(a) - at(b))) {
    if (freed >= bytesToFree) break
    chosen.push(track)
    freed += track.sizeBytes
  }
  return chosen
}
