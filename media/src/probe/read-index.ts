import {
  type EncodedPacket,
  EncodedPacketSink,
  Input,
  type InputTrack,
  type InputVideoTrack,
  WEBM,
} from 'mediabunny'
import type { SourceFile } from '../source/container.ts'
import { RemuxTrial } from './remux-trial.ts'
import { type PresentedRange, readMp4Outline } from '../containers/mp4/outline.ts'
import { type Ends, LibraryPackets, type PacketReader } from '../containers/packets.ts'
import { bytesOfFile, openInput, rangesOfFile, type SourceBytes } from '../source/source-bytes.ts'
import {
  type Frame,
  ImplausibleIndex,
  LOOKUP_SLACK_SECONDS,
  MAX_KEYFRAMES,
  SAMPLED_FRAMES,
  type StreamIndex,
  summarize,
  TOO_MANY_KEYFRAMES,
} from '../plan/stream-index.ts'
import { MAX_COPIED_SEGMENT_SECONDS, SEGMENT_SECONDS } from '../plan/timeline.ts'
import { readCueTimes } from '../containers/webm/cues.ts'

/** Frames inspected across a video that is longer than the first ones. */
const SPOT_CHECKS = 8
const SPOT_FRAMES = 300

/** Cues further apart than this may omit keyframes. */
const MAX_CUE_GAP_SECONDS = 2 * SEGMENT_SECONDS

/**
 * Reads a container's index in this process; undefined for unsupported files. Throws `ImplausibleIndex` before it reads
 * tables made to exhaust memory.
 */
export async function readIndex(
  path: string,
  { container, wholeBytes }: SourceFile,
): Promise<StreamIndex | undefined> {
  const bytes = await bytesOfFile(path, wholeBytes)
  if (container === 'webm') return indexFromContainer(path, bytes)
  const outline = await readMp4Outline(await rangesOfFile(path, wholeBytes))
  if (outline?.isImplausible) throw new ImplausibleIndex('more frames than there is room for')
  // mediabunny ignores fragments after frames of the sample tables
  if (outline?.continuesInFragments) return undefined
  try {
    return await indexFromContainer(path, bytes, outline?.shown)
  } catch (error) {
    if (!(error instanceof OutOfOrderFragments)) throw error
    // later fragments could not be presented in time, and decoders drop some: the video is truncated there
    const index = await readIndex(path, { container, wholeBytes: error.place })
    return index && { ...index, isBrokenOff: true, wholeBytes: error.place }
  }
}

/** A fragment is presented before the one that precedes it in the file. */
class OutOfOrderFragments extends Error {
  /** Its offset in the file. */
  readonly place: number

  constructor(place: number) {
    super('the fragments are out of order')
    this.place = place
  }
}

const allOfIt: PresentedRange = { startSeconds: Number.NEGATIVE_INFINITY, endSeconds: null }

/** `shown` contains the ranges that edit lists present, by track id. */
async function indexFromContainer(
  path: string,
  bytes: SourceBytes,
  shown?: ReadonlyMap<number, PresentedRange>,
): Promise<StreamIndex | undefined> {
  const input = openInput(bytes)
  try {
    const video = await input.getPrimaryVideoTrack()
    const edited = (track: InputTrack): PresentedRange => shown?.get(track.id) ?? allOfIt
    // ffprobe supports what this reader does not, such as MPEG-4 part 2 in MP4 or edit lists of several ranges.
    const shownVideo = video && edited(video)
    if (!video?.codec || !shownVideo || shownVideo === 'unsupported') return undefined
    using remuxTrial = new RemuxTrial(bytes)
    const frames = (await remuxTrial.video()) ?? new LibraryPackets(video)
    const ends = await frames.ends()
    if (!ends) return undefined
    const cues = await readCues(input, path, video)
    const { times: keys, isComplete: isDataThere } = cues
      ? { times: cues, isComplete: true }
      : await readKeyTimes(frames, ends, bytes)
    if (keys.length === 0) return undefined
    // The part that an edit list hides at the beginning precedes its delay: it is decoded and not shown.
    const startSeconds = Math.max(ends.first.timestamp, shownVideo.startSeconds)
    const statedEnd = Math.min(ends.endSeconds, shownVideo.endSeconds ?? Number.POSITIVE_INFINITY)
    const brokenOffAt = (await ends.isLastThere()) ? undefined : await findBreak(frames, keys)
    const isBrokenOff = brokenOffAt !== undefined && brokenOffAt < statedEnd
    const endSeconds = isBrokenOff ? brokenOffAt : statedEnd
    const known = keys.filter((key) => key < endSeconds)
    const sample = await readFrames(frames, ends.first, SAMPLED_FRAMES)
    const spots = await checkSpots(frames, ends.first.timestamp, endSeconds)
    // of the codecs that browsers play, only H.264 reorders frames
    // A source whose cuts cannot be found is encoded instead of remuxed.
    const cuts = video.codec === 'avc' ? await remuxTrial.findCuts(known).catch(() => []) : known
    const decoded = summarize(known, sample, endSeconds, spots)
    const copied = summarize(cuts, sample, endSeconds, spots)
    const beginsClosed = cuts[0] === known[0]
    const canCut = beginsClosed && copied.longestGapSeconds <= MAX_COPIED_SEGMENT_SECONDS
    // a source without usable cuts can still be decoded from every keyframe
    const summary = canCut ? copied : { ...decoded, longestGapSeconds: copied.longestGapSeconds }
    const isCopied =
      isDataThere &&
      beginsClosed &&
      ends.last.timestamp < (shownVideo.endSeconds ?? Number.POSITIVE_INFINITY) &&
      (await remuxTrial.takesVideo(video, summary.cutsMicros))
    const audio = []
    for (const [position, track] of (await input.getAudioTracks()).entries()) {
      const shownAudio = edited(track)
      const sounding = await ((await remuxTrial.audio(position)) ?? new LibraryPackets(track)).ends()
      const beginsAt = sounding?.first.timestamp ?? 0
      const isCut = shownAudio === 'unsupported' || hidesAudio(shownAudio, beginsAt)
      const isComplete = !isCut && (await remuxTrial.takesAudio(position))
      audio.push({
        codecString: track.codec && isComplete ? await track.getCodecParameterString() : null,
        startSeconds: beginsAt,
        endSeconds:
          shownAudio === 'unsupported'
            ? null
            : Math.min(sounding?.endSeconds ?? 0, shownAudio.endSeconds ?? Number.POSITIVE_INFINITY),
      })
    }
    return {
      ...summary,
      isBrokenOff,
      video: {
        codecString: isCopied ? await video.getCodecParameterString() : null,
        statedSize: [video.codedWidth, video.codedHeight],
        startSeconds,
        endSeconds,
      },
      audio,
    }
  } finally {
    input.dispose()
  }
}

/** More than an encoder's priming (at most 2112 samples). */
const HIDDEN_AUDIO_SECONDS = 0.05

/**
 * Whether delayed audio begins with a part that its edit list hides. Without a delay that part precedes the video and
 * is dropped anyway.
 */
function hidesAudio(
  { startSeconds: shownFrom }: Exclude<PresentedRange, 'unsupported'>,
  startSeconds: number,
): boolean {
  return shownFrom > 0 && shownFrom - startSeconds > HIDDEN_AUDIO_SECONDS
}

/** Time at which the video ends in a file that was truncated before its last frame. */
async function findBreak(frames: PacketReader, keys: number[]): Promise<number> {
  // Binary search for the last readable keyframe: those before the truncation are in the file, those after it are not.
  let [there, gone] = [-1, keys.length]
  while (gone - there > 1) {
    const middle = Math.floor((there + gone) / 2)
    if (await frames.keyAt((keys[middle] ?? 0) + LOOKUP_SLACK_SECONDS)) there = middle
    else gone = middle
  }
  const key = there < 0 ? null : await frames.keyAt((keys[there] ?? 0) + LOOKUP_SLACK_SECONDS)
  if (!key) throw new Error('the file holds no whole picture')
  let end = keys[there] ?? 0
  for await (const { timestamp, duration } of frames.read(key, null))
    end = Math.max(end, timestamp + duration)
  return end
}

/** Number of a WebM's cues that are compared with the frames. */
const TRIED_CUES = 8

/**
 * Keyframe times from the cues of a WebM, since mediabunny would scan all of the video instead. Undefined if there are
 * no cues, if they are too sparse to cut at, or if they are wrong.
 */
async function readCues(input: Input, path: string, track: InputVideoTrack): Promise<number[] | undefined> {
  if ((await input.getFormat()) !== WEBM) return undefined
  const cues = await readCueTimes(path, track.id)
  if (cues.length < TRIED_CUES || cues.length > MAX_KEYFRAMES) return undefined
  if (cues.some((cue, i) => i > 0 && cue - (cues[i - 1] ?? 0) > MAX_CUE_GAP_SECONDS)) return undefined
  const sink = new EncodedPacketSink(track)
  const first = await sink.getFirstPacket({ metadataOnly: true })
  const last = await sink.getPacket(Number.MAX_SAFE_INTEGER, { metadataOnly: true })
  if (!first || !last || last.timestamp - (cues.at(-1) ?? 0) > MAX_CUE_GAP_SECONDS) return undefined
  const isAt = (time: number, cue: number) => Math.abs(time - cue) < LOOKUP_SLACK_SECONDS
  if (!isAt(first.timestamp, cues[0] ?? Number.NaN)) return undefined
  for (let tried = 1; tried <= TRIED_CUES; tried++) {
    const cue = cues[Math.floor(((cues.length - 1) * tried) / TRIED_CUES)] ?? 0
    const key = await sink.getKeyPacket(cue + LOOKUP_SLACK_SECONDS, { metadataOnly: true })
    if (!key || !isAt(key.timestamp, cue)) return undefined
  }
  return cues
}

/**
 * Keyframe times, and whether each fragment that begins with a keyframe ends before the next begins: a fragment without
 * its data refers to the bytes of others. Throws `OutOfOrderFragments` if presentation times decrease.
 */
async function readKeyTimes(
  frames: PacketReader,
  { first }: Ends,
  bytes: SourceBytes,
): Promise<{ times: number[]; isComplete: boolean }> {
  const times: number[] = []
  let isComplete = true
  let before: EncodedPacket | undefined
  // packet numbers of a fragmented file are offsets of fragments
  const isInFragments = await isFragmentAt(bytes, first.sequenceNumber)
  for await (const packet of frames.keys()) {
    if (packet.byteLength === 0) continue
    times.push(packet.timestamp)
    if (isInFragments && before) {
      const outOfOrder = packet.timestamp < before.timestamp
      if (outOfOrder && (await isFragmentAt(bytes, packet.sequenceNumber)))
        throw new OutOfOrderFragments(packet.sequenceNumber)
      if (before.sequenceNumber + before.byteLength > packet.sequenceNumber)
        isComplete &&= !(await isFragmentAt(bytes, packet.sequenceNumber))
    }
    before = packet
    if (times.length > MAX_KEYFRAMES) throw new ImplausibleIndex(TOO_MANY_KEYFRAMES)
  }
  return { times, isComplete }
}

async function isFragmentAt(bytes: SourceBytes, place: number): Promise<boolean> {
  const file = typeof bytes === 'string' ? await rangesOfFile(bytes) : bytes
  const head = await file.read(place, place + 8)
  return Buffer.from(head).toString('latin1', 4) === 'moof'
}

/** Runs of frames from several positions of a video that is longer than its first frames. */
async function checkSpots(frames: PacketReader, start: number, endSeconds: number): Promise<Frame[][]> {
  const spots: Frame[][] = []
  for (let spot = 1; spot <= SPOT_CHECKS; spot++) {
    const at = start + ((endSeconds - start) * spot) / (SPOT_CHECKS + 1)
    const key = await frames.keyAt(at)
    if (key) spots.push(await readFrames(frames, key, SPOT_FRAMES))
  }
  return spots
}

async function readFrames(packets: PacketReader, from: EncodedPacket, count: number): Promise<Frame[]> {
  const frames: Frame[] = []
  for await (const packet of packets.list(from, null)) {
    frames.push({
      timestamp: packet.timestamp,
      duration: packet.duration,
      size: packet.byteLength,
      isKey: packet.type === 'key',
    })
    if (frames.length === count) break
  }
  return frames
}
