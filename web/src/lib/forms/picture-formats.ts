import { t } from '@lingui/core/macro'
import { dateLocale } from '../i18n/language.ts'

const TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']
/** Other names that some devices have for the same formats. */
const OTHER_NAMES = ['image/jpg', 'image/pjpeg', 'image/x-png', 'image/apng']

/** `accept` attribute for profile and cover pictures. */
export const acceptPictures = [...TYPES, '.jpg', '.jpeg', '.png', '.webp', '.gif', '.avif'].join(',')

const pictureFormats = new Intl.ListFormat(dateLocale, { type: 'disjunction' }).format([
  'JPEG',
  'PNG',
  'WebP',
  'GIF',
  'AVIF',
])

/** The formats of profile and cover pictures, as a sentence beside a field. */
export const pictureFormatsHint = `${pictureFormats}.`

/** Refuses a picture in a format that the server does not accept; undefined for one that it does. */
export function pictureFormatError(file: File): string | undefined {
  const isAccepted = [...TYPES, ...OTHER_NAMES].includes(file.type.toLowerCase())
  return isAccepted ? undefined : t`Choose a ${pictureFormats} picture.`
}
