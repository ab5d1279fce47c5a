import { buffer } from 'node:stream/consumers'
import { AppError } from '@kinora/platform/errors.ts'
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

/** Waits for memory, which other viewers use, each as long as that of a player. */
const memoryWaits = 6

/** The bytes of an MP4 of what viewers see of a cut video. `onPart` is called with the share that is written. */
export async function* readCutFile(
  source: PartSource,
  video: CutVideo,
  onPart?: (share: number) => void,
): AsyncGenerator<Buffer> {
  const { presentation, cut: keep } = video
  // memory for remuxed parts is taken until they were sent, not while others are waited for
  let held = new AbortController()
  const release = () => {
    held.abort()
    held = new AbortController()
  }
  const read = (name: string, part: 'init' | CutPart) =>
    readPart({ ...source, held: held.signal }, video, name, partOf(part))
  try {
    yield* writeCut({ presentation, keep, read, release, mustCopy: source.mustCopy ?? false }, onPart)
  } finally {
    release()
  }
}

function partOf(part: 'init' | CutPart): Part {
  if (part === 'init') return part
  return part.kind === 'segment' ? part.index : { name: part.name, border: part.border }
}

async function readPart(
  { storage, passthrough, encode, address, signal, held }: PartSource & { held: AbortSignal },
  video: PlannedVideo,
  name: string,
  part: Part,
): Promise<Buffer> {
  signal.throwIfAborted()
  const track = findTrack(video, name)
  if (!track) throw new Error(`no track ${name} of video ${video.id}`)
  if (!isCached(track)) {
    const closed = AbortSignal.any([signal, held])
    for (let waits = 1; ; waits++) {
      try {
        return await passthrough.get(video, track, part, { address, closed })
      } catch (error) {
        signal.throwIfAborted()
        if (waits === memoryWaits || !(error instanceof AppError)) throw error
      }
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
