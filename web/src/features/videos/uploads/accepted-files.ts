import { t } from '@lingui/core/macro'
import { areDefaultFormats, type FileFormat } from '@kinora/contract/videos/file-formats.ts'
import { listFormats } from '@kinora/contract/videos/format-details.ts'
import { pageLanguage } from '../../../lib/i18n/language.ts'
import { settings } from '../../../lib/settings.ts'
import { extensionsOf, thumbnailTypes, typesOf } from './accepted-types.ts'
import { hasOggVideo, readHead, videoTypeError } from './file-contents.ts'

/**
 * Validation error of a video file, or undefined. Checks the reported type, or the extension if there is none. Browsers
 * report every `.ogg` file as audio, so its first pages are read. The server checks the contents.
 */
export async function videoError(
  file: File,
  accepted: readonly FileFormat[] = settings.acceptedContainers,
): Promise<string | undefined> {
  const isVideo =
    file.type === 'audio/ogg'
      ? accepted.includes('ogg') && hasOggVideo(await readHead(file))
      : isOneOf(file, typesOf(accepted), extensionsOf(accepted))
  return isVideo ? undefined : typeError(accepted)
}

function typeError(accepted: readonly FileFormat[]): string {
  if (areDefaultFormats(accepted)) return videoTypeError()
  const formats = listFormats(accepted, 'conjunction', pageLanguage)
  return accepted.length === 1
    ? t`Invalid file type. Only ${formats} is allowed.`
    : t`Invalid file type. Only ${formats} are allowed.`
}

/** Validation error of a thumbnail file, or undefined. */
export function thumbnailError(file: File): string | undefined {
  return isOneOf(file, thumbnailTypes, ['.jpg', '.jpeg', '.png'])
    ? undefined
    : t`Invalid file type. Only JPEG, PNG are allowed.`
}

function isOneOf(file: File, types: readonly string[], extensions: readonly string[]): boolean {
  const name = file.name.toLowerCase()
  return file.type === ''
    ? extensions.some((extension) => name.endsWith(extension))
    : types.includes(file.type.toLowerCase())
}
