import { fileTypeErrors } from '@kinora/contract/videos.ts'
import { hasOggVideo, readHead } from './file-contents.ts'

const VIDEO_TYPES = ['video/mp4', 'video/webm', 'video/ogg', 'application/ogg']
// Some devices have their own name for JPEG.
const THUMBNAIL_TYPES = ['image/jpeg', 'image/jpg', 'image/png']

/** What the file pickers offer first. */
export const accept = {
  video: [...VIDEO_TYPES, '.mp4', '.webm', '.ogg', '.ogv'].join(','),
  thumbnail: [...THUMBNAIL_TYPES, '.jpg', '.jpeg', '.png'].join(','),
}

/**
 * What is wrong with a file as a video, or nothing. Its reported type decides, its name only where none is reported;
 * browsers call every `.ogg` file sound, so its first pages say what is inside;
 * what it really holds is for the server to find out.
 */
export async function videoError(file: File): Promise<string | undefined> {
  const isVideo =
    file.type === 'audio/ogg'
      ? hasOggVideo(await readHead(file))
      : isOneOf(file, VIDEO_TYPES, /\.(mp4|webm|og[gv])$/i)
  return isVideo ? undefined : fileTypeErrors.video
}

/** What is wrong with a file as a thumbnail, or nothing. */
export function thumbnailError(file: File): string | undefined {
  return isOneOf(file, THUMBNAIL_TYPES, /\.(jpe?g|png)$/i) ? undefined : fileTypeErrors.thumbnail
}

function isOneOf(file: File, types: readonly string[], name: RegExp): boolean {
  return file.type === '' ? name.test(file.name) : types.includes(file.type.toLowerCase())
}
