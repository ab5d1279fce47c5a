import { wrongType } from '@kinora/contract/videos.ts'

const VIDEO_TYPES = ['video/mp4', 'video/webm', 'video/ogg', 'application/ogg']
// Some devices have their own name for JPEG.
const THUMBNAIL_TYPES = ['image/jpeg', 'image/jpg', 'image/png']

/** What the file pickers offer first. */
export const accept = {
  video: [...VIDEO_TYPES, '.mp4', '.webm', '.ogg', '.ogv'].join(','),
  thumbnail: [...THUMBNAIL_TYPES, '.jpg', '.jpeg', '.png'].join(','),
}

/** Codecs of pictures that an Ogg file may carry, as they name themselves in its first pages. */
const OGG_VIDEO_CODECS = ['theora', 'OVP80', 'BBCD']
const OGG_HEAD_BYTES = 4096

/**
 * What is wrong with a file as a video, or nothing. Its reported type decides, its name only where none is reported;
 * what it really holds is for the server to find out.
 */
export async function videoError(file: File): Promise<string | undefined> {
  const isVideo =
    file.type === 'audio/ogg' ? await hasOggVideo(file) : isOneOf(file, VIDEO_TYPES, /\.(mp4|webm|og[gv])$/i)
  return isVideo ? undefined : wrongType.video
}

/** What is wrong with a file as a thumbnail, or nothing. */
export function thumbnailError(file: File): string | undefined {
  return isOneOf(file, THUMBNAIL_TYPES, /\.(jpe?g|png)$/i) ? undefined : wrongType.thumbnail
}

function isOneOf(file: File, types: readonly string[], name: RegExp): boolean {
  return file.type === '' ? name.test(file.name) : types.includes(file.type.toLowerCase())
}

/** Browsers call every `.ogg` file sound; its first pages say what is inside. */
async function hasOggVideo(file: File): Promise<boolean> {
  const head = new Uint8Array(await file.slice(0, OGG_HEAD_BYTES).arrayBuffer())
  const text = new TextDecoder('latin1').decode(head)
  return OGG_VIDEO_CODECS.some((codec) => text.includes(codec))
}
