import type { TimeRange } from '../ranges.ts'

/** Frames that a zoomed-in timeline shows side by side at least: one is as wide as a finger then. */
const MAX_PIXELS_PER_SECOND = 480
/** Browsers lay out no more than some millions of pixels. */
const MAX_PIXELS = 8_000_000
export const ZOOM_STEP = 2

/** Pixels of a second at which the whole video fits. */
export const fitScale = (durationSeconds: number, width: number): number =>
  durationSeconds > 0 && width > 0 ? width / durationSeconds : 1

/** A scale within what is useful: from the whole video to single frames. */
export function limitScale(scale: number, durationSeconds: number, width: number): number {
  const smallest = fitScale(durationSeconds, width)
  const largest = Math.max(smallest, Math.min(MAX_PIXELS_PER_SECOND, MAX_PIXELS / durationSeconds))
  return Math.min(largest, Math.max(smallest, scale))
}

/** Steps of a ruler, in seconds. */
const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600]
const MIN_LABEL_PIXELS = 88

/** Times of the ruler within a range: at most one for each label that fits. */
export function ticksOf(
  { startSeconds, endSeconds }: TimeRange,
  pixelsPerSecond: number,
): { seconds: number; stepSeconds: number }[] {
  const stepSeconds = steps.find((step) => step * pixelsPerSecond >= MIN_LABEL_PIXELS) ?? 7200
  const first = Math.max(0, Math.floor(startSeconds / stepSeconds))
  const last = Math.floor(endSeconds / stepSeconds)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => ({
    // without the noise of floating point
    seconds: Math.round((first + index) * stepSeconds * 10) / 10,
    stepSeconds,
  }))
}

/** The range that is visible, and as much again on both sides, so that scrolling shows no holes. */
export function drawnRange(
  scrollPixels: number,
  width: number,
  pixelsPerSecond: number,
  durationSeconds: number,
): TimeRange {
  return {
    startSeconds: Math.max(0, (scrollPixels - width) / pixelsPerSecond),
    endSeconds: Math.min(durationSeconds, (scrollPixels + 2 * width) / pixelsPerSecond),
  }
}

/** Width and gap of a bar of the waveform. */
const BAR_PIXELS = 3

/**
 * The bars of a waveform as an SVG path of a height of 100 that begins at a pixel of the timeline. Each bar is the loudest peak
 * in its time; quiet sounds are lifted, as the ear does it.
 */
export function waveformPath(
  { peaks, intervalSeconds }: { peaks: Uint8Array; intervalSeconds: number },
  { startSeconds, endSeconds }: TimeRange,
  pixelsPerSecond: number,
): { startPixels: number; path: string } {
  const secondsEach = BAR_PIXELS / pixelsPerSecond
  const first = Math.floor(startSeconds / secondsEach)
  const last = Math.ceil(Math.min(endSeconds, peaks.length * intervalSeconds) / secondsEach)
  let path = ''
  for (let bar = first; bar < last; bar++) {
    const from = Math.floor((bar * secondsEach) / intervalSeconds)
    const to = Math.max(from + 1, Math.ceil(((bar + 1) * secondsEach) / intervalSeconds))
    const height = Math.max(2, Math.sqrt(loudest(peaks, from, to) / 255) * 96)
    path += `M${(bar - first) * BAR_PIXELS} ${(50 - height / 2).toFixed(1)}h2v${height.toFixed(1)}h-2z`
  }
  return { startPixels: first * BAR_PIXELS, path }
}

function loudest(peaks: Uint8Array, from: number, to: number): number {
  let found = 0
  for (let at = from; at < to && at < peaks.length; at++) found = Math.max(found, peaks[at] ?? 0)
  return found
}
