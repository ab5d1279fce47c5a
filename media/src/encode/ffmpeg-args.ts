import { inputArgs, type SourceFile } from '../source/container.ts'
import { flags, outputUrl } from '../process/ffmpeg.ts'
import type { Rendition } from '../plan/renditions.ts'
import type { SourceInfo, VideoInfo } from '../source/source-info.ts'
import {
  AAC_FRAME_SAMPLES,
  cutSeconds,
  frameSeconds,
  MAX_FRAME_RATE,
  segmentStart,
  type AudioPlan,
  type Timeline,
} from '../plan/timeline.ts'

/** Ticks per second of every encoded rendition. */
export const VIDEO_TIMESCALE = 90_000
/** Added to all times before the muxer, which supports no negative ones; subtracted when segments are written. */
export const MUXER_SHIFT_SECONDS = 1000
/** AAC frames encoded before the range and discarded: the encoder then has the state of a longer run. */
export const AUDIO_LEAD_IN_FRAMES = 16

/** A range of segments; `to` is exclusive. */
export type SegmentRange = { from: number; to: number }

export type EncodeOptions = {
  /** Threads of the decoder and of each encoder; every thread costs address space, which is limited. */
  threads: number
  /** Time after the range in which the frame that ends it is searched. */
  lookAheadSeconds: number
  /** Seeks to a keyframe of the index that was read at upload: slower, but correct where the demuxer's own seek is not. */
  seeksByIndex?: boolean
  /**
   * The range begins in a gap, with the previous frame repeated. If it has several segments, none of them has a frame
   * of its own.
   */
  repeatsFrame?: boolean
}

/**
 * Boundary between segments `index - 1` and `index`, in ticks of every rendition. Independent runs agree on it to the
 * frame, however the container rounds its times.
 */
export function cutTicks(timeline: Timeline, index: number): number | null {
  const seconds = cutSeconds(timeline, index)
  return seconds === null ? null : Math.round(seconds * VIDEO_TIMESCALE)
}

/** Frames that cannot be decoded are skipped without limit; the reader of the output detects missing segments. */
const common = ['-v', 'error', '-nostdin', '-hide_banner', '-max_error_rate', '1']

const fragmented = flags({ avoid_negative_ts: 'disabled', output_ts_offset: MUXER_SHIFT_SECONDS, f: 'mp4' })

/**
 * Arguments that decode a range once and encode it to every rendition given. Each output has a fragment for each
 * segment, then a fragment with the frame after the range, which states how long the last frame is shown.
 */
export function encodeArgs(
  source: SourceInfo,
  timeline: Timeline,
  path: string,
  renditions: Rendition[],
  range: SegmentRange,
  options: EncodeOptions,
): string[] {
  const closing = closingSeconds(source.video, timeline, range, options)
  const keyframes = keyframeTimes(timeline, range, closing)
  return [
    ...common,
    ...seekArgs(source, timeline, range.from, options.seeksByIndex === true),
    '-copyts',
    ...clockArgs(source.video),
    ...flags({ threads: options.threads }),
    ...inputArgs(source, path),
    '-filter_complex',
    filterGraph(source.video, timeline, renditions, range, options, closing).join(';'),
    ...renditions.flatMap((rendition, i) => [
      '-map',
      `[o${i}]`,
      ...videoCodecArgs(source.video, rendition),
      ...flags({ 'threads:v': options.threads }),
      ...(keyframes.length > 0
        ? ['-force_key_frames', keyframes.map((seconds) => seconds.toFixed(6)).join(',')]
        : []),
      ...fragmented,
      outputUrl(i),
    ]),
  ]
}

/** Where segments after the first one begin, and the closing frame, in seconds on the container's clock. */
function keyframeTimes(timeline: Timeline, range: SegmentRange, closing: number | null): number[] {
  const times: number[] = []
  for (let index = range.from + 1; index <= range.to; index++) {
    const cut = cutTicks(timeline, index)
    if (cut !== null) times.push(cut / VIDEO_TIMESCALE)
  }
  return closing === null ? times : [...times, closing]
}

/** Decodes and selects the frames of the range once, then scales them for each rendition: outputs `[o0]`, `[o1]` and so on. */
function filterGraph(
  video: VideoInfo,
  timeline: Timeline,
  renditions: Rendition[],
  range: SegmentRange,
  options: EncodeOptions,
  closing: number | null,
): string[] {
  const timeBase = `settb=1/${VIDEO_TIMESCALE}`
  const filters = [...videoFilters(video, renditions), ...frameRateFilters(video), timeBase]
  const decoded = `[0:V:0]${filters.join(',')}`
  const [trimmed, untilNext] = rangeFilters(timeline, range, options)
  const split =
    renditions.length === 1
      ? '[v0]'
      : `,split=${renditions.length}${renditions.map((_, i) => `[v${i}]`).join('')}`
  const selected = options.repeatsFrame
    ? [
        `${decoded},split[all][copy]`,
        `[copy]${frameBeforeFilters(timeline, range.from).join(',')}[before]`,
        `[all]${trimmed}[trimmed]`,
        `[before][trimmed]interleave,${timeBase},${untilNext}${split}`,
      ]
    : [`${decoded},${trimmed},${untilNext}${split}`]
  const outputs = renditions.flatMap((rendition, i) => {
    const scaled = `[v${i}]${scaleToFit(video, rendition, 'flags=bicubic:out_range=tv')},setsar=1,format=yuv420p`
    if (closing === null) return [`${scaled}[o${i}]`]
    const black = `${blackFrame(rendition, timeline)},trim=end_frame=1,${timeBase},setpts=${(closing + 0.001).toFixed(6)}/TB`
    return [`${scaled}[s${i}]`, `${black}[c${i}]`, `[s${i}][c${i}]interleave[o${i}]`]
  })
  return [...selected, ...outputs]
}

/** Relative difference of aspect ratios that rounding to whole pixels causes, besides that of very small pictures. */
const SHAPE_SLACK = 0.02

/**
 * Scales frames to a size planned for the video. Frames of another shape, because picture or pixel aspect change within
 * the file, keep it and are padded.
 */
export function scaleToFit(
  { displayWidth, displayHeight }: VideoInfo,
  { width, height }: { width: number; height: number },
  options: string,
): string {
  const planned = displayWidth / displayHeight
  const slack = 1 + SHAPE_SLACK + 1 / Math.min(displayWidth, displayHeight)
  // As for the planned size, pixels of an implausible aspect count as square.
  const shape = 'if(between(sar,0.2,5),dar,a)'
  const even = (pixels: string) => `max(2,2*round((${pixels})/2))`
  const fitted = {
    w: `if(lt(${shape},${planned / slack}),${even(`${height}*${shape}`)},${width})`,
    h: `if(gt(${shape},${planned * slack}),${even(`${width}/(${shape})`)},${height})`,
  }
  return `scale=w='${fitted.w}':h='${fitted.h}':${options},pad=${width}:${height}:-1:-1`
}

/** Arguments for the init segment of a rendition: the same settings and one black frame. Reads no source. */
export function initArgs(video: VideoInfo, timeline: Timeline, rendition: Rendition): string[] {
  return [
    ...common,
    ...flags({ f: 'lavfi', i: blackFrame(rendition, timeline), 'frames:v': 1 }),
    ...videoCodecArgs(video, rendition),
    ...fragmented,
    outputUrl(0),
  ]
}

/** Arguments that encode one frame as AV1 renditions are. */
export function av1TrialArgs(): string[] {
  return [
    ...common,
    ...flags({ f: 'lavfi', i: 'color=s=64x64:r=25', 'frames:v': 1 }),
    ...flags(av1Options({ level: 20, maxBitrate: 100_000, framesPerSecond: 25 })),
    ...flags({ f: 'null' }),
    outputUrl(0),
  ]
}

function blackFrame({ width, height }: Rendition, { frameRate: { num, den } }: Timeline): string {
  return `color=black:s=${width}x${height}:r=${num}/${den},setsar=1,format=yuv420p`
}

/** Longest display time of a frame. x264's rate control gives too few bits to one that is shown for about nine seconds. */
const MAX_FRAME_SECONDS = 6

/**
 * Time of the black frame that closes a range, in seconds on the container's clock. Frames from there on are discarded.
 * Null if frames are evenly spaced, or so rare that a segment is longer than `MAX_FRAME_SECONDS`.
 *
 * x264 derives the quality of a frame from its duration, which it learns from the next frame. The black frame is that next
 * frame for a video that stands still at the end of the range. A repeated frame is closed after its first segment, since
 * the others are identical.
 */
export function closingSeconds(
  video: VideoInfo,
  timeline: Timeline,
  range: SegmentRange,
  options: EncodeOptions,
): number | null {
  const segmentSeconds = timeline.framesPerSegment * frameSeconds(timeline)
  if ((!video.isVariableFrameRate && !options.repeatsFrame) || segmentSeconds > MAX_FRAME_SECONDS) return null
  const end = segmentStart(timeline, options.repeatsFrame ? range.from + 1 : range.to)
  return timeline.zeroSeconds + end + options.lookAheadSeconds + 0.001
}

/** Frames on the clock of the index, where ffmpeg's demuxer presents them later. */
function clockArgs({ demuxerDelaySeconds: delay }: VideoInfo): string[] {
  return delay === undefined ? [] : flags({ itsoffset: (-delay).toFixed(6) })
}

/** Seeks to the keyframe at or before the range. Exact seeking is done in `rangeFilters`. */
function seekArgs(
  { index, video }: SourceInfo,
  timeline: Timeline,
  from: number,
  byIndex: boolean,
): string[] {
  const cut = cutSeconds(timeline, from)
  if (cut === null) return []
  // A keyframe often lies exactly on the grid, half a frame after the cut.
  const known = index.cutsMicros.findLast((micros) => micros / 1e6 <= cut)
  if (byIndex && known === undefined) return []
  const target = byIndex && known !== undefined ? known / 1e6 + 0.0005 : cut + frameSeconds(timeline) * 0.75
  return [
    '-noaccurate_seek',
    ...flags({ seek_timestamp: 1, ss: (target + (video.demuxerDelaySeconds ?? 0)).toFixed(6) }),
  ]
}

/** Two filters: the first trims to the range and the look-ahead, the second ends with the first frame after the range. */
function rangeFilters(timeline: Timeline, range: SegmentRange, options: EncodeOptions): [string, string] {
  const start = cutTicks(timeline, range.from)
  const end = cutTicks(timeline, range.to)
  if (end === null) return [start === null ? 'null' : trim(start, null), 'null']
  const after = Math.ceil((frameSeconds(timeline) + options.lookAheadSeconds) * VIDEO_TIMESCALE)
  return [trim(start, end + after), `select='isnan(prev_selected_pts)+lt(prev_selected_pts,${end})'`]
}

/** Minimum rate at which a frame is repeated in a gap. Every gap is longer than one repetition. */
const REPETITIONS_PER_SECOND = 10

/**
 * Selects the frame on display when a segment begins in a gap, and moves it to the start of the segment. `fps` repeats the
 * last frame during the gap. After the end of the video it is repeated only if audio continues.
 */
function frameBeforeFilters(timeline: Timeline, segment: number): string[] {
  const perSecond = Math.max(REPETITIONS_PER_SECOND, Math.ceil(1 / frameSeconds(timeline)))
  // number of the last repetition before the cut: the next one is at the cut or in the gap after it
  const at = Math.ceil((cutSeconds(timeline, segment) ?? 0) * perSecond) - 1
  const start = timeline.zeroSeconds + segmentStart(timeline, segment)
  const end = timeline.zeroSeconds + segmentStart(timeline, segment + 1)
  return [
    `fps=${perSecond}:round=down:eof_action=pass`,
    ...(timeline.extendsLastFrame && end > timeline.videoEndSeconds ? ['tpad=stop=-1:stop_mode=clone'] : []),
    trim(at, at + 2),
    'trim=end_frame=1',
    `settb=1/${VIDEO_TIMESCALE}`,
    `setpts=${start.toFixed(6)}/TB`,
  ]
}

function trim(start: number | null, end: number | null): string {
  const from = start === null ? [] : [`start_pts=${start}`]
  const to = end === null ? [] : [`end_pts=${end}`]
  return `trim=${[...from, ...to].join(':')}`
}

/** Reduces higher frame rates to the maximum. Variable frame rates are reduced without repeating frames. */
function frameRateFilters({ frameRate: { num, den }, isVariableFrameRate }: VideoInfo): string[] {
  if (num / den <= MAX_FRAME_RATE + 0.5) return []
  const slot = (time: string) => `floor(${time}*${MAX_FRAME_RATE}+0.5)`
  return isVariableFrameRate
    ? [`select='isnan(prev_selected_t)+gt(${slot('t')},${slot('prev_selected_t')})'`]
    : [`fps=${MAX_FRAME_RATE}`]
}

/** Converts decoded frames to progressive 8-bit, once for all renditions. */
function videoFilters(video: VideoInfo, renditions: Rendition[]): string[] {
  const filters: string[] = []
  if (video.isInterlaced) filters.push('bwdif=mode=send_frame')
  if (video.isHdr) {
    const largest = renditions.reduce((a, b) => (a.height > b.height ? a : b))
    filters.push(...toneMap(video, largest))
  }
  return filters
}

/** Colours that `zscale` converts with each other. It stops at some others, and at unknown ones. */
const convertible = {
  primaries: new Set(
    'bt709 bt470m bt470bg smpte170m smpte240m bt2020 smpte431 smpte432 jedec-p22 ebu3213'.split(' '),
  ),
  matrix: new Set(
    'bt709 fcc bt470bg smpte170m smpte240m ycgco bt2020nc chroma-derived-nc chroma-derived-c ictcp'.split(
      ' ',
    ),
  ),
}

/**
 * Scales HDR frames and tone-maps them to BT.709. What their description leaves out, or what cannot be converted, is
 * taken as BT.2020, and an unknown transfer as PQ. Frames of RGB keep their matrix.
 */
export function toneMap(
  {
    colorPrimaries,
    colorTransfer,
    colorSpace,
  }: Pick<VideoInfo, 'colorPrimaries' | 'colorTransfer' | 'colorSpace'>,
  { width, height }: { width: number; height: number },
): string[] {
  // ICtCp is defined for BT.2020 only.
  const hasPrimaries = convertible.primaries.has(colorPrimaries ?? '') && colorSpace !== 'ictcp'
  const primaries = hasPrimaries ? colorPrimaries : 'bt2020'
  const matrix = convertible.matrix.has(colorSpace ?? '') ? colorSpace : 'bt2020nc'
  const transfer = colorTransfer === 'arib-std-b67' ? colorTransfer : 'smpte2084'
  return [
    `setparams=color_primaries=${primaries}:color_trc=${transfer}:colorspace=${matrix}:field_mode=prog`,
    `zscale=w=${width}:h=${height}:t=linear:npl=100`,
    'format=gbrpf32le',
    'zscale=p=bt709',
    'tonemap=hable:desat=0',
    'zscale=t=bt709:m=bt709:r=tv',
    'format=yuv420p',
  ]
}

/**
 * Option values of ffmpeg where they differ from the names that ffprobe reports. RGB sources (`gbr`) are encoded with the
 * matrix of BT.601.
 */
const optionOfColorName: Record<'matrix' | 'transfer', Record<string, string>> = {
  matrix: { gbr: 'smpte170m' },
  transfer: { bt470m: 'gamma22', bt470bg: 'gamma28' },
}

function videoCodecArgs(video: VideoInfo, rendition: Rendition): string[] {
  const color = (value: string | null, names: Record<string, string> = {}) =>
    video.isHdr ? 'bt709' : (names[value ?? ''] ?? value ?? 'unknown')
  return flags({
    map_metadata: -1,
    map_chapters: -1,
    fflags: '+bitexact',
    flags: '+bitexact',
    fps_mode: 'passthrough',
    enc_time_base: `1:${VIDEO_TIMESCALE}`,
    preset: rendition.preset,
    crf: rendition.crf,
    ...(rendition.codec === 'h264' ? x264Options(rendition) : av1Options(rendition)),
    color_range: 'tv',
    colorspace: color(video.colorSpace, optionOfColorName.matrix),
    color_primaries: color(video.colorPrimaries),
    color_trc: color(video.colorTransfer, optionOfColorName.transfer),
    video_track_timescale: VIDEO_TIMESCALE,
    movflags: '+frag_keyframe+empty_moov+default_base_moof+negative_cts_offsets+frag_discont',
  })
}

/** Longest distance of keyframes in frames. Longer than a run, so that only the forced ones remain. */
const MAX_KEYFRAME_DISTANCE = 100_000

function x264Options({ level, maxBitrate, parameterSetId = 0 }: Rendition) {
  return {
    'c:v': 'libx264',
    'profile:v': 'high',
    'level:v': level / 10,
    maxrate: maxBitrate,
    bufsize: maxBitrate,
    g: MAX_KEYFRAME_DISTANCE,
    keyint_min: 1,
    sc_threshold: 0,
    // By default, keyframes are better than the frames before them, which is visible within runs of several segments.
    'x264-params': `open-gop=0:ipratio=1${parameterSetId > 0 ? `:sps-id=${parameterSetId}` : ''}`,
    // Without the text in which x264 states its settings: 700 bytes in each segment.
    'bsf:v': 'filter_units=remove_types=6',
  }
}

/** SVT-AV1 allocates less address space and no longer depends on the number of cores. */
const AV1_THREADS = 2

function av1Options({
  level,
  maxBitrate,
  framesPerSecond,
}: Pick<Rendition, 'level' | 'maxBitrate' | 'framesPerSecond'>) {
  const params = {
    // The time base would count as the frame rate of uneven frames.
    'fps-num': Math.max(1000, Math.round(framesPerSecond * 1000)),
    'fps-denom': 1000,
    level,
    mbr: Math.round(maxBitrate / 1000),
    lp: AV1_THREADS,
    scd: 0,
    // Not with `keyint=-1`.
    'enable-force-key-frames': 1,
  }
  const text = Object.entries(params).map(([name, value]) => `${name}=${value}`)
  return {
    'c:v': 'libsvtav1',
    g: MAX_KEYFRAME_DISTANCE,
    'svtav1-params': text.join(':'),
    // In the sequence header, which is the same for every run and every source.
    chroma_sample_location: 'left',
  }
}

/** Frames of an audio track to encode; those outside of the audible ones are silent. */
export type AudioFrames = {
  fromFrame: number
  toFrame: number
  audibleFrom: number | null
  audibleTo: number | null
}

/** Duration of the fade where audible frames begin or end. */
const FADE_SECONDS = 0.008

/**
 * Arguments that encode frames of an audio track as AAC on the sample grid of the presentation. Extra frames on both
 * sides let neighbouring segments of different runs join without a click.
 */
export function encodeAudioArgs(
  source: SourceFile,
  timeline: Timeline,
  path: string,
  plan: AudioPlan,
  { fromFrame, toFrame, audibleFrom, audibleTo }: AudioFrames,
): string[] {
  const firstFrame = fromFrame - AUDIO_LEAD_IN_FRAMES
  const lastFrame = toFrame + 2
  const zeroSample = Math.round(timeline.zeroSeconds * plan.sampleRate)
  const startSample = zeroSample + firstFrame * AAC_FRAME_SAMPLES
  const secondsOf = (frame: number) => (zeroSample + frame * AAC_FRAME_SAMPLES) / plan.sampleRate
  const seek = startSample / plan.sampleRate - 1
  const filters = [
    // With integers, channels would be mixed at a lower volume.
    `aresample=${plan.sampleRate}:osf=fltp:ochl=${plan.channels === 1 ? 'mono' : 'stereo'}`,
    // Fills gaps with silence and starts exactly on the grid, whichever packet the seek has found. A filter of its own,
    // because `first_pts` counts samples of its input, whose rate may be another one.
    `aresample=async=1:first_pts=${startSample}`,
    ...fade('in', audibleFrom === null ? null : secondsOf(audibleFrom)),
    ...fade('out', audibleTo === null ? null : secondsOf(audibleTo) - FADE_SECONDS),
    'apad',
    // counts samples: if nothing can be decoded, the silence has no timestamps
    `atrim=end_sample=${(lastFrame - firstFrame) * AAC_FRAME_SAMPLES}`,
  ]
  return [
    ...common,
    ...(seek > 0 ? ['-noaccurate_seek', ...flags({ seek_timestamp: 1, ss: seek.toFixed(6) })] : []),
    '-copyts',
    ...inputArgs(source, path),
    ...flags({
      map: `0:a:${plan.position}`,
      map_metadata: -1,
      map_chapters: -1,
      fflags: '+bitexact',
      af: filters.join(','),
      'c:a': 'aac',
      'b:a': plan.averageBitrate,
      ar: plan.sampleRate,
      ac: plan.channels,
      movflags: '+empty_moov+default_base_moof+frag_discont',
      frag_duration: 1_000_000,
    }),
    ...fragmented,
    outputUrl(0),
  ]
}

/** A fade from or to silence, before or after which nothing is heard. */
const fade = (direction: 'in' | 'out', startSeconds: number | null): string[] =>
  startSeconds === null
    ? []
    : [`afade=t=${direction}:st=${startSeconds.toFixed(6)}:d=${FADE_SECONDS}:curve=hsin`]
