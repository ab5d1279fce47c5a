import { defineLimit } from '../../../context/limits.ts'

/** Imports from feeds per account: apart from those of addresses, so that people can still begin imports themselves. */
export const feedImportLimit = defineLimit(({ config, shared }) =>
  shared('feed_imports', config.videoImportsPerDay, 24 * 3600),
)
