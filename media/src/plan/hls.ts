import {
  isForSlowConnections,
  planAv1Ladder,
  planLadder,
  planPassthrough,
  passthroughStarts,
  type Rendition,
  type PassthroughRendition,
} from './renditions.ts'
import type { TrackBitrates } from './measured-bitrates.ts'
import { languageName, languageTag } from './language.ts'
import type { SourceInfo } from '../source/source-info.ts'
import {
  audioSegmentDurations,
  planAudio,
  planTimeline,
  segmentDurations,
  type AudioPlan,
  type Timeline,
} from './timeline.ts'

/**
 * The complete plan of how a source is played. Computed from `SourceInfo` alone, cheap enough to compute on each
 * request.
 */
export type Presentation = {
  timeline: Timeline
  renditions: Rendition[]
  passthrough: PassthroughRendition | null
  /** Renditions of a playlist of their own; empty if the source gets none. */
  av1: Rendition[]
  audio: AudioPlan[]
}

/** Must change when segments of the same name would get other contents, because caches keep them permanently. */
export const SEGMENT_FORMAT = '5'

/** Name of the passthrough rendition. */
export const PASSTHROUGH_NAME = 'source'

export function planPresentation(source: SourceInfo): Presentation {
  const timeline = planTimeline(source)
  const isEncodable = (name: string) => source.failedTracks?.includes(name) !== true
  return {
    timeline,
    renditions: planLadder(source, timeline).filter(({ name }) => isEncodable(name)),
    passthrough: planPassthrough(source, timeline),
    av1: planAv1Ladder(source, timeline),
    audio: planAudio(source, timeline, isForSlowConnections(source)).filter((plan) =>
      isEncodable(audioName(plan)),
    ),
  }
}

/** The name of an audio track in playlists. */
export function audioName(plan: AudioPlan): string {
  return `audio-${plan.position}${plan.isLowBitrate ? '-low' : ''}`
}

/**
 * The multivariant playlist. `uri` returns the URI of a media playlist. Bitrates are estimates, and upper bounds of peaks,
 * for tracks that `measured` does not contain. Every rendition is listed with each audio group, so that a player can keep
 * one of them: after a change between groups, hls.js 1.7 can wait at the end of a video forever.
 */
export function masterPlaylist(
  { audio, renditions, passthrough }: Presentation,
  uri: (name: string) => string,
  measured: TrackBitrates = {},
): string {
  const variants = [...renditions, ...(passthrough ? [{ ...passthrough, name: PASSTHROUGH_NAME }] : [])]
  return multivariantPlaylist(audio, variants, uri, measured)
}

/** The multivariant playlist of the AV1 renditions alone. Players do not change between codecs. */
export function av1Playlist(
  { audio, av1 }: Presentation,
  uri: (name: string) => string,
  measured: TrackBitrates = {},
): string {
  return multivariantPlaylist(audio, av1, uri, measured)
}

function multivariantPlaylist(
  audio: AudioPlan[],
  variants: Variant[],
  uri: (name: string) => string,
  measured: TrackBitrates,
): string {
  const low = audio.filter(({ isLowBitrate }) => isLowBitrate)
  const groups: AudioGroup[] = [
    { id: 'audio', tracks: audio.filter(({ isLowBitrate }) => !isLowBitrate) },
    ...(low.length > 0 ? [{ id: 'audio-low', tracks: low }] : []),
  ]
  const sorted = firstChoiceFirst(variants)
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    ...groups.flatMap((group) => mediaTags(group, uri)),
    ...groups.flatMap((group) =>
      sorted.flatMap((variant) => [streamTag(variant, group, measured), uri(variant.name)]),
    ),
  ]
  return `${lines.join('\n')}\n`
}

type Variant = Pick<
  Rendition,
  'name' | 'width' | 'height' | 'framesPerSecond' | 'codecs' | 'bandwidth' | 'averageBandwidth'
>
type AudioGroup = { id: string; tracks: AudioPlan[] }

function mediaTags({ id, tracks }: AudioGroup, uri: (name: string) => string): string[] {
  const defaultTrack = tracks.find((track) => track.isDefault) ?? tracks[0]
  return tracks.map((track) => {
    const language = languageTag(track.language)
    const attributes = [
      'TYPE=AUDIO',
      `GROUP-ID="${id}"`,
      `NAME="${trackLabel(track, tracks)}"`,
      ...(language ? [`LANGUAGE="${language}"`] : []),
      `DEFAULT=${track === defaultTrack ? 'YES' : 'NO'}`,
      'AUTOSELECT=YES',
      `CHANNELS="${track.channels}"`,
      `URI="${uri(audioName(track))}"`,
    ]
    return `#EXT-X-MEDIA:${attributes.join(',')}`
  })
}

/** The tag of a variant. Its bitrates include the track of its audio group that needs most. */
function streamTag(variant: Variant, { id, tracks }: AudioGroup, measured: TrackBitrates): string {
  const audioBitrates = tracks.map(
    (track) => measured[audioName(track)] ?? { peakBps: track.bitrate, averageBps: track.averageBitrate },
  )
  const { peakBps, averageBps } = measured[variant.name] ?? {
    peakBps: variant.bandwidth,
    averageBps: variant.averageBandwidth,
  }
  const bandwidth = peakBps + Math.max(0, ...audioBitrates.map((audio) => audio.peakBps))
  const average = averageBps + Math.max(0, ...audioBitrates.map((audio) => audio.averageBps))
  const audioCodecs = new Set(tracks.map((track) => track.codecString))
  const attributes = [
    `BANDWIDTH=${bandwidth}`,
    `AVERAGE-BANDWIDTH=${Math.min(average, bandwidth)}`,
    `CODECS="${[variant.codecs, ...audioCodecs].join(',')}"`,
    `RESOLUTION=${variant.width}x${variant.height}`,
    ...frameRateAttribute(variant.framesPerSecond),
    'VIDEO-RANGE=SDR',
    ...(tracks.length > 0 ? [`AUDIO="${id}"`] : []),
    'CLOSED-CAPTIONS=NONE',
  ]
  return `#EXT-X-STREAM-INF:${attributes.join(',')}`
}

/** Empty if frames are so far apart that three decimals would round the rate to zero. */
function frameRateAttribute(framesPerSecond: number): string[] {
  const rate = framesPerSecond.toFixed(3)
  return Number(rate) > 0 ? [`FRAME-RATE=${rate}`] : []
}

/**
 * Players that have measured no bandwidth begin with the first variant. The passthrough rendition needs no encoding, so
 * it comes first unless its bitrate is high. Otherwise a medium rendition is first: quick to encode and acceptable to
 * watch.
 */
function firstChoiceFirst(variants: Variant[]): Variant[] {
  const byBandwidth = variants.toSorted((a, b) => a.bandwidth - b.bandwidth)
  const first =
    byBandwidth.find((variant) => variant.name === PASSTHROUGH_NAME && isLight(variant)) ??
    byBandwidth.findLast((variant) => isEncoded(variant) && variant.bandwidth <= 1_800_000) ??
    byBandwidth[0]
  return first ? [first, ...byBandwidth.filter((variant) => variant !== first)] : []
}

/** Whether there is a video track to play. */
export const isPlayable = ({ renditions, passthrough }: Presentation) =>
  renditions.length > 0 || passthrough !== null

/** Whether players begin with the passthrough rendition. */
export function beginsWithSource({ passthrough }: Presentation): boolean {
  return passthrough !== null && isLight(passthrough)
}

type Weight = { bandwidth: number; codecs: string }

const isEncoded = ({ name }: Variant) => name !== PASSTHROUGH_NAME
/** Other codecs than H.264 are not decoded everywhere. */
const isLight = ({ codecs, bandwidth }: Weight) => codecs.startsWith('avc1') && bandwidth <= 5_000_000

function trackLabel(track: AudioPlan, all: AudioPlan[]): string {
  const language = languageTag(track.language)
  const label = languageName(language) ?? 'Original'
  const isAlone = all.filter((other) => languageTag(other.language) === language).length === 1
  return isAlone ? label : `${label} ${track.position + 1}`
}

/** The media playlist of a rendition or audio track; undefined for an unknown name. */
export function mediaPlaylist(presentation: Presentation, name: string): string | undefined {
  const durations = durationsOf(presentation, name)
  if (!durations) return undefined
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${Math.max(1, ...durations.map((duration) => Math.round(duration)))}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    '#EXT-X-MAP:URI="init.mp4"',
    ...durations.flatMap((duration, index) => [`#EXTINF:${duration.toFixed(6)},`, `${index}.m4s`]),
    '#EXT-X-ENDLIST',
  ]
  return `${lines.join('\n')}\n`
}

/** Segment durations of a rendition or an audio track. */
export function durationsOf(presentation: Presentation, name: string): number[] | undefined {
  const { audio, passthrough, timeline } = presentation
  if (name === PASSTHROUGH_NAME) {
    if (!passthrough) return undefined
    const starts = passthroughStarts(passthrough, timeline)
    return starts.slice(1).map((start, i) => start - (starts[i] ?? 0))
  }
  const track = audio.find((plan) => audioName(plan) === name)
  if (track) return audioSegmentDurations(track)
  return findRendition(presentation, name) && segmentDurations(timeline)
}

/** The encoded rendition of a name, of any codec. */
export function findRendition({ renditions, av1 }: Presentation, name: string): Rendition | undefined {
  return [...renditions, ...av1].find((rendition) => rendition.name === name)
}
