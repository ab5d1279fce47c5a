import {
  encodeAudioSegments,
  encodeRenditionInit,
  encodeRenditionSegments,
  storeStoryboard,
  storeCaptions,
  type EncodeTask,
} from './encode-segments.ts'
import { runOf, runRange, type SegmentName, type Track } from '../rules.ts'

export async function encodePart(task: EncodeTask, track: Track, { part }: SegmentName): Promise<void> {
  if (track.kind === 'storyboard') return storeStoryboard(task, track.storyboard)
  if (track.kind === 'captions') {
    const captions = part === 'init' ? undefined : track.captions[part]
    if (captions && part !== 'init') await storeCaptions(task, captions, part)
    return
  }
  if (track.kind === 'encoded_audio') {
    const range = part === 'init' ? { from: 0, to: 1 } : runRange(track.plan, runOf(part))
    return encodeAudioSegments(task, track.plan, range)
  }
  if (track.kind !== 'rendition') return
  if (part === 'init') return encodeRenditionInit(task, track.rendition)
  await encodeRenditionSegments(task, [track.rendition], { from: part, to: part + 1 })
}
