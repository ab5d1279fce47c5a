import {
  encodeAudioSegments,
  encodeBorderOfAudio,
  encodeRenditionBorder,
  encodeRenditionInit,
  encodeRenditionSegments,
  storeStoryboard,
  storeCaptions,
  type EncodeTask,
} from './encode-segments.ts'
import { runOf, runRange, type SegmentName, type Track } from '../rules.ts'

export async function encodePart(task: EncodeTask, track: Track, { part }: SegmentName): Promise<void> {
  if (track.kind === 'storyboard') return storeStoryboard(task, track)
  if (track.kind === 'captions') {
    if (typeof part !== 'number') return
    const captions = track.captions[part]
    if (captions) await storeCaptions(task, captions, part)
    return
  }
  if (track.kind === 'encoded_audio') {
    if (typeof part === 'object') return encodeBorderOfAudio(task, track.plan, part)
    const range = part === 'init' ? { from: 0, to: 1 } : runRange(track.plan, runOf(part))
    return encodeAudioSegments(task, track.plan, range)
  }
  if (track.kind !== 'rendition') return
  if (part === 'init') return encodeRenditionInit(task, track.rendition)
  if (typeof part === 'object') return encodeRenditionBorder(task, [track.rendition], part)
  await encodeRenditionSegments(task, [track.rendition], { from: part, to: part + 1 })
}
