import { fileTypeErrors } from '@kinora/contract/videos.ts'
import { hasOggVideo, readHead } from './file-contents.ts'

const VIDEO_TYPES = ['video/mp4', 'video/webm', 'video/ogg', 'application/ogg']
// Some devices have their own name for JPEG.
const THUMBNAIL_TYPES = ['image/jpeg', 'image/jpg', 'image/png']

/** Values of the `accept` attribute. */
export const accept = {
  video: [...VIDEO_TYPES, '.mp4', '.webm', '.ogg', '.ogv'].join(','),
  thumbnail: [...THUMBNAIL_TYPES, '.jpg', '.jpeg', '.png'].join(','),
}

/**
 * Validation error of a video file, or undefined. Checks the reported type, or the extension if there is none. Browsers
 * report every `.ogg` file as audio, so its first pages are read. The server checks the contents.
 */
export async function videoError(file: File): Promise<string | undefined> {
  const isVideo =
    file.type === 'audio/ogg'
      ? hasOggVideo(await readHead(file))
      : isOneOf(file, VIDEO_TYPES, /\.(mp4|webm|og[gv])$/i)
  return isVideo ? undefined : fileTypeErrors.video
}

/** Validation error of a thumbnail file, or undefined. */
export function thumbnailError(file: File): string | undefined {
  return isOneOf(file, THUMBNAIL_TYPES, /\.(jpe?g|png)$/i) ? undefined : fileTypeErrors.thumbnail
}

function isOneOf(file: File, types: readonly string[], name: RegExp): boolean {
  return file.type === '' ? name.test(file.name) : types.includes(file.type.toLowerCase())
}
