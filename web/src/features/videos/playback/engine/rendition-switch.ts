import type Hls from 'hls.js'
import type { Fragment } from 'hls.js'
import { prefetchRendition } from './prefetch-rendition.ts'

export type RenditionSwitch = {
  /** Switches to a rendition once it is prefetched; null for Auto. */
  choose: (index: number | null) => void
  isPrefetching: () => boolean
  onBuffered: (segment: Fragment) => void
  close: () => void
}

/** Keeps playing the current rendition until the chosen one is prefetched, because encoding it would stall playback. */
export function createRenditionSwitch(stream: Hls, video: HTMLVideoElement): RenditionSwitch {
  let prefetching: AbortController | undefined
  /** Index of the rendition that replaces the displayed one. */
  let replacing: number | undefined

  async function switchTo(index: number) {
    const { signal } = (prefetching = new AbortController())
    const isPrefetched = await prefetchRendition(stream.levels[index]?.uri ?? '', video, signal).catch(
      () => false,
    )
    if (signal.aborted) return
    prefetching = undefined
    if (isPrefetched && stream.currentLevel !== index) stream.currentLevel = replacing = index
    // hls.js handles an unavailable rendition.
    else stream.nextLevel = index
  }

  return {
    choose(index) {
      prefetching?.abort()
      prefetching = replacing = undefined
      if (index === null) stream.nextLevel = -1
      else void switchTo(index)
    },
    isPrefetching: () => prefetching !== undefined,
    onBuffered({ level, start, end }) {
      if (level !== replacing || start > video.currentTime || video.currentTime >= end) return
      replacing = undefined
      // After replacing the displayed range, browsers decode only from the next keyframe on, unless they seek.
      video.currentTime += 0.000001
    },
    close: () => prefetching?.abort(),
  }
}
