import { videoError } from './accepted-files.ts'
import { contentsError } from './file-contents.ts'
import { sizeError } from './rules.ts'
import { lengthError } from './video-length.ts'

/** Why a video file cannot be uploaded, for people. */
interface FileRefusal {
  message: string
  /** Whether the site does not accept its format. */
  isOtherFormat: boolean
}

type Minutes = number | null | undefined

/** Finds out in the browser why the server would refuse a video file; undefined if nothing is known. */
export async function findRefusal(
  file: File,
  { maxMinutes, maxBytes }: { maxMinutes: Minutes | Promise<Minutes>; maxBytes?: number },
): Promise<FileRefusal | undefined> {
  const otherFormat = await videoError(file)
  if (otherFormat !== undefined) return { message: otherFormat, isOtherFormat: true }
  const message =
    (maxBytes === undefined ? undefined : sizeError(file, maxBytes)) ??
    (await contentsError(file)) ??
    (await lengthError(file, await maxMinutes))
  return message === undefined ? undefined : { message, isOtherFormat: false }
}
