import type { FileFormat } from '@kinora/contract/videos/file-formats.ts'
import { formatDetails } from '@kinora/contract/videos/format-details.ts'
import { settings } from '../../../lib/settings.ts'

// Some devices have their own name for JPEG.
export const thumbnailTypes = ['image/jpeg', 'image/jpg', 'image/png']

export const typesOf = (formats: readonly FileFormat[]) =>
  formats.flatMap((format) => formatDetails[format].types)
export const extensionsOf = (formats: readonly FileFormat[]) =>
  formats.flatMap((format) => formatDetails[format].extensions)

/** Values of the `accept` attribute. */
export const accept = {
  get video() {
    const { acceptedContainers } = settings
    return [...typesOf(acceptedContainers), ...extensionsOf(acceptedContainers)].join(',')
  },
  thumbnail: [...thumbnailTypes, '.jpg', '.jpeg', '.png'].join(','),
}
