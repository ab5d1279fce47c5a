import {
  planLadder,
  planPassthrough,
  passthroughStarts,
  type Rendition,
  type PassthroughRendition,
} from './renditions.ts'
import type { TrackBitrates } from './bitrates.ts'
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
  audio: AudioPlan[]
}

/** Must change when segments of the same name would get other contents, because caches keep them permanently. */
export const SEGMENT_FORMAT = '3'

/** Name of the passthrough rendition. */
export const PASSTHROUGH_NAME = 'source'

export function planPresentation(source: SourceInfo): Presentation {
  const timeline = planTimeline(source)
  return {
    timeline,
    renditions: planLadder(source, timeline),
    passthrough: planPassthrough(source, timeline),
    audio: planAudio(source, timeline),
  }
}

/** The name of an audio track in playlists. */
export function audioName(plan: AudioPlan): string {
  return `audio-${plan.position}`
}

/**
 * The multivariant playlist. `uri` returns the URI of a media playlist. Bitrates are estimates, and upper bounds of peaks,
 * for tracks that `measured` does not contain.
 */
export function masterPlaylist(
  presentation: Presentation,
  uri: (name: string) => string,
  measured: TrackBitrates = {},
): string {
  const { audio, renditions, passthrough } = presentation
  const lines = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS']
  const defaultTrack = audio.find((track) => track.isDefault) ?? audio[0]
  for (const track of audio) {
    const language = languageTag(track.language)
    const attributes = [
      'TYPE=AUDIO',
      'GROUP-ID="audio"',
      `NAME="${trackLabel(track, audio)}"`,
      ...(language ? [`LANGUAGE="${language}"`] : []),
      `DEFAULT=${track === defaultTrack ? 'YES' : 'NO'}`,
      'AUTOSELECT=YES',
      `CHANNELS="${track.channels}"`,
      `URI="${uri(audioName(track))}"`,
    ]
    lines.push(`#EXT-X-MEDIA:${attributes.join(',')}`)
  }
  const audioBitrates = audio.map(
    (track) => measured[audioName(track)] ?? { peakBps: track.bitrate, averageBps: track.averageBitrate },
  )
  const audioPeakBps = Math.max(0, ...audioBitrates.map(({ peakBps }) => peakBps))
  const audioAverageBps = Math.max(0, ...audioBitrates.map(({ averageBps }) => averageBps))
  const audioCodecs = [...new Set(audio.map((track) => track.codecString))]
  const variants = [
    ...renditions.map((rendition) => ({ ...rendition, uri: uri(rendition.name) })),
    ...(passthrough ? [{ ...passthrough, name: PASSTHROUGH_NAME, uri: uri(PASSTHROUGH_NAME) }] : []),
  ]
  for (const variant of firstChoiceFirst(variants, passthrough ? uri(PASSTHROUGH_NAME) : undefined)) {
    const { peakBps, averageBps } = measured[variant.name] ?? {
      peakBps: variant.bandwidth,
      averageBps: variant.averageBandwidth,
    }
    const bandwidth = peakBps + audioPeakBps
    const attributes = [
      `BANDWIDTH=${bandwidth}`,
      `AVERAGE-BANDWIDTH=${Math.min(averageBps + audioAverageBps, bandwidth)}`,
      `CODECS="${[variant.codecs, ...audioCodecs].join(',')}"`,
      `RESOLUTION=${variant.width}x${variant.height}`,
      ...frameRateAttribute(variant.framesPerSecond),
      'VIDEO-RANGE=SDR',
      ...(audio.length > 0 ? ['AUDIO="audio"'] : []),
      'CLOSED-CAPTIONS=NONE',
    ]
    lines.push(`#EXT-X-STREAM-INF:${attributes.join(',')}`, variant.uri)
  }
  return `${lines.join('\n')}\n`
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
function firstChoiceFirst<Variant extends { bandwidth: number; codecs: string; uri: string }>(
  variants: Variant[],
  sourceUri: string | undefined,
): Variant[] {
  const byBandwidth = variants.toSorted((a, b) => a.bandwidth - b.bandwidth)
  const first =
    byBandwidth.find((variant) => variant.uri === sourceUri && isLight(variant)) ??
    byBandwidth.findLast((variant) => isWide(variant) && variant.bandwidth <= 1_800_000) ??
    byBandwidth[0]
  return first ? [first, ...byBandwidth.filter((variant) => variant !== first)] : []
}

/** Whether players begin with the passthrough rendition. */
export function beginsWithSource({ passthrough }: Presentation): boolean {
  return passthrough !== null && isLight(passthrough)
}

type Weight = { bandwidth: number; codecs: string }

const isWide = ({ codecs }: Weight) => codecs.startsWith('avc1')
const isLight = (variant: Weight) => isWide(variant) && variant.bandwidth <= 5_000_000

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
  const { audio, renditions, passthrough, timeline } = presentation
  if (name === PASSTHROUGH_NAME) {
    if (!passthrough) return undefined
    const starts = passthroughStarts(passthrough, timeline)
    return starts.slice(1).map((start, i) => start - (starts[i] ?? 0))
  }
  const track = audio.find((plan) => audioName(plan) === name)
  if (track) return audioSegmentDurations(track)
  return renditions.some((rendition) => rendition.name === name) ? segmentDurations(timeline) : undefined
}
