import type { Chapter } from '@kinora/contract/videos/videos.ts'
import { indexAt } from '../state/index-at.ts'

/** Title of the chapter at a position. */
export function chapterTitleAt(chapters: readonly Chapter[], seconds: number): string | undefined {
  return chapters[indexAt(chapters, seconds)]?.title
}

/** A CSS mask that leaves gaps of 2 px where chapters begin; undefined without chapters. */
export function chapterMask(chapters: readonly Chapter[], durationSeconds: number): string | undefined {
  const starts = chapters.slice(1).filter(({ startSeconds }) => startSeconds < durationSeconds)
  if (starts.length === 0 || durationSeconds <= 0) return undefined
  const stops = starts.flatMap(({ startSeconds }) => {
    const place = `${((startSeconds / durationSeconds) * 100).toFixed(3)}%`
    return [
      `#000 calc(${place} - 1px)`,
      `#0000 calc(${place} - 1px) calc(${place} + 1px)`,
      `#000 calc(${place} + 1px)`,
    ]
  })
  return `linear-gradient(to right, ${stops.join(', ')})`
}
