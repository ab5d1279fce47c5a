import { defineLimit } from '../../../context/limits.ts'

/** Imports of videos from addresses per account. */
export const videoImportLimit = defineLimit(({ config, shared }) =>
  shared('video_imports', config.videoImportsPerDay, 24 * 3600),
)
