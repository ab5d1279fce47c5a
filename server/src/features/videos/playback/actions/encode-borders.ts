import { CUT_SOURCE_NAME, cutParts } from '@kinora/media/plan/cut.ts'
import { audioName, PASSTHROUGH_NAME } from '@kinora/media/plan/hls.ts'
import type { Rendition } from '@kinora/media/plan/renditions.ts'
import { type BorderPart, fileOf, findTrack, shownPresentation } from '../rules.ts'
import {
  encodeBorderOfAudio,
  encodeRenditionBorder,
  encodeRenditionInit,
  type EncodeTask,
  isStored,
} from './encode-segments.ts'

/** Encodes the missing segments at the borders of what viewers see of a cut video, the first ones first. */
export async function encodeBorders(task: EncodeTask): Promise<void> {
  const presentation = shownPresentation(task.playing)
  const encoded = presentation.audio.filter(({ isCopied }) => !isCopied)
  const source = findTrack(task.playing, CUT_SOURCE_NAME)
  if (source?.kind === 'rendition') {
    if (!(await isThere(task, CUT_SOURCE_NAME, 'init'))) await encodeRenditionInit(task, source.rendition)
    for (const part of bordersOf(task, PASSTHROUGH_NAME)) await encodeMissing(task, [source.rendition], part)
  }
  for (const plan of encoded)
    for (const part of bordersOf(task, audioName(plan)))
      if (!(await isThere(task, audioName(plan), part))) await encodeBorderOfAudio(task, plan, part)
  // all renditions have the same grid
  const [first] = presentation.renditions
  for (const part of first ? bordersOf(task, first.name) : [])
    await encodeMissing(task, presentation.renditions, part)
}

function bordersOf({ playing }: EncodeTask, name: string): BorderPart[] {
  const parts = playing.cut ? cutParts(playing.presentation, playing.cut, name) : []
  return (parts ?? []).flat().flatMap((part) => (part.kind === 'border' ? [part] : []))
}

async function encodeMissing(task: EncodeTask, renditions: Rendition[], part: BorderPart): Promise<void> {
  const missing: Rendition[] = []
  for (const rendition of renditions)
    if (!(await isThere(task, rendition.name, part))) missing.push(rendition)
  task.signal.throwIfAborted()
  if (missing.length > 0) await encodeRenditionBorder(task, missing, { name: part.name, border: part.border })
}

const isThere = ({ context, playing }: EncodeTask, track: string, part: BorderPart | 'init') =>
  isStored(context, { ...fileOf(playing), track, part })
