import { plural, t } from '@lingui/core/macro'
import { formatDuration } from '../../../lib/format/duration.ts'

/** Time limit for the browser to read the length of a file; the server checks it otherwise. */
const TIMEOUT_MS = 10_000

/** Length of a video file in seconds, or undefined if this browser cannot tell: the server decides then. */
function durationOf(file: File): Promise<number | undefined> {
  const url = URL.createObjectURL(file)
  const video = document.createElement('video')
  return new Promise<number | undefined>((resolve) => {
    video.addEventListener('loadedmetadata', () => resolve(video.duration), { once: true })
    video.addEventListener('error', () => resolve(undefined), { once: true })
    setTimeout(() => resolve(undefined), TIMEOUT_MS)
    video.preload = 'metadata'
    video.src = url
  }).finally(() => {
    video.removeAttribute('src')
    video.load()
    URL.revokeObjectURL(url)
  })
}

/** Error message for a video file that is longer than the quota of the account allows; undefined if it is not. */
export async function lengthError(
  file: File,
  quotaMinutes: number | null | undefined,
): Promise<string | undefined> {
  if (quotaMinutes === null || quotaMinutes === undefined) return undefined
  const seconds = await durationOf(file)
  if (seconds === undefined || !Number.isFinite(seconds) || Math.floor(seconds) <= quotaMinutes * 60)
    return undefined
  const most = plural(quotaMinutes, { one: '# minute', other: '# minutes' })
  return t`Your videos can be at most ${most} long, and this one is ${formatDuration(seconds)}. Shorten it and try again.`
}
