import { queryOptions } from '@tanstack/react-query'
import { videoFileKeys } from './watch-keys.ts'

/** One frame of a storyboard: a rectangle of a sprite sheet, and its time range in seconds. */
export type StoryboardFrame = {
  startSeconds: number
  endSeconds: number
  sheetUrl: string
  x: number
  y: number
  width: number
  height: number
}

/** Shows a frame as the background of an element, whose transformation starts at its corner. */
export const frameStyle = ({ width, height, sheetUrl, x, y }: StoryboardFrame, scale: number) => ({
  width,
  height,
  backgroundImage: `url("${sheetUrl.replaceAll('"', '%22')}")`,
  backgroundPosition: `${-x}px ${-y}px`,
  transform: `scale(${scale})`,
})

const CUE = /^((?:\d+:)?\d+:\d+[.,]\d+)\s+-->\s+((?:\d+:)?\d+:\d+[.,]\d+)/

/** Parses a WebVTT storyboard whose cues refer to sprite sheets by `#xywh=`. Other cues are skipped. */
export function parseStoryboard(vtt: string, vttUrl: string): StoryboardFrame[] {
  const frames: StoryboardFrame[] = []
  for (const block of vtt.replaceAll('\r\n', '\n').split(/\n{2,}/)) {
    const lines = block.split('\n').filter((line) => line.trim() !== '')
    const at = lines.findIndex((line) => CUE.test(line))
    const times = CUE.exec(lines[at] ?? '')
    const [target = '', region = ''] = (lines[at + 1] ?? '').trim().split('#xywh=')
    const [x, y, width, height] = region.replace('pixel:', '').split(',').map(Number)
    if (!times || !target || x === undefined || y === undefined || !width || !height) continue
    if ([x, y, width, height].some((value) => !Number.isFinite(value))) continue
    frames.push({
      startSeconds: secondsOf(times[1] ?? ''),
      endSeconds: secondsOf(times[2] ?? ''),
      sheetUrl: new URL(target, vttUrl).href,
      x,
      y,
      width,
      height,
    })
  }
  return frames
}

/** The frames of a storyboard; they never change under one URL. */
export function storyboardQuery(storyboardUrl: string) {
  return queryOptions({
    queryKey: videoFileKeys.storyboard(storyboardUrl),
    queryFn: ({ signal }) => fetchStoryboard(storyboardUrl, signal),
    staleTime: Infinity,
  })
}

async function fetchStoryboard(storyboardUrl: string, signal: AbortSignal): Promise<StoryboardFrame[]> {
  const url = new URL(storyboardUrl, location.href).href
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(`The request for the storyboard failed with status ${response.status}`)
  return parseStoryboard(await response.text(), url)
}

/** The frame that shows a given second: the last one that has begun. */
export function frameAt(frames: readonly StoryboardFrame[], seconds: number): StoryboardFrame | undefined {
  return frames.findLast((frame) => frame.startSeconds <= seconds) ?? frames[0]
}

/** Frames spread evenly over the duration, for the hover preview of a card. */
export function spreadFrames(frames: readonly StoryboardFrame[], count: number): StoryboardFrame[] {
  const last = frames.length - 1
  return Array.from(
    { length: Math.min(count, frames.length) },
    (_, index) =>
      // The middle of each share: the very first frame is too often black.
      frames[Math.min(last, Math.floor(((index + 0.5) * frames.length) / Math.min(count, frames.length)))],
  ).filter((frame) => frame !== undefined)
}

function secondsOf(stamp: string): number {
  return stamp
    .replace(',', '.')
    .split(':')
    .reduce((total, part) => total * 60 + Number(part), 0)
}
