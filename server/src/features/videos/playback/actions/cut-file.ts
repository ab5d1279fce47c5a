import { buffer } from 'node:stream/consumers'
import type { CutPart, KeptRange } from '@kinora/media/plan/cut.ts'
import { writeCut } from '@kinora/media/remux/write-cut.ts'
import type { Context } from '../../../../context/context.ts'
import { fileOf, findTrack, isCached, type Part, segmentKey, type SegmentName, type Track } from '../rules.ts'
import type { PassthroughSegments } from './passthrough.ts'
import type { PlannedVideo } from './presentations.ts'

export interface CutVideo extends PlannedVideo {
  cut: KeptRange[]
}

export const isCutVideo = (video: PlannedVideo): video is CutVideo => video.cut !== null

interface PartSource {
  storage: Context['storage']
  passthrough: PassthroughSegments
  /** Stores a missing part. */
  encode: (name: SegmentName, track: Track) => Promise<void>
  /** For whom it is read. */
  address: string
  signal: AbortSignal
  /** Throws where frames of the source would be replaced by encoded ones. */
  mustCopy?: boolean
}

/** The bytes of an MP4 of what viewers see of a cut video. `onPart` is called with the share that is written. */
export function readCutFile(
  source: PartSource,
  video: CutVideo,
  onPart?: (share: number) => void,
): AsyncGenerator<Buffer> {
  const { presentation, cut: keep } = video
  const read = (name: string, part: 'init' | CutPart) => readPart(source, video, name, partOf(part))
  return writeCut({ presentation, keep, read, mustCopy: source.mustCopy ?? false }, onPart)
}

function partOf(part: 'init' | CutPart): Part {
  if (part === 'init') return part
  return part.kind === 'segment' ? part.index : { name: part.name, border: part.border }
}

async function readPart(
  { storage, passthrough, encode, address, signal }: PartSource,
  video: PlannedVideo,
  name: string,
  part: Part,
): Promise<Buffer> {
  signal.throwIfAborted()
  const track = findTrack(video, name)
  if (!track) throw new Error(`no track ${name} of video ${video.id}`)
  if (!isCached(track)) {
    // its memory is free as soon as it was written
    const read = new AbortController()
    try {
      const closed = AbortSignal.any([signal, read.signal])
      return await passthrough.get(video, track, part, { address, closed })
    } finally {
      read.abort()
    }
  }
  const segment = { ...fileOf(video), track: name, part }
  const key = segmentKey(segment)
  const stored = await storage.get(key)
  if (stored) return buffer(stored.body)
  await encode(segment, track)
  const encoded = await storage.get(key)
  if (!encoded) throw new Error(`${key} was evicted`)
  return buffer(encoded.body)
}
