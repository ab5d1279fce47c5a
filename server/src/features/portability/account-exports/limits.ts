import { defineLimit } from '../../../context/limits.ts'

/** Archives per account. */
export const accountExportLimit = defineLimit(({ config, shared }) =>
  shared('account_exports', config.accountExportsPerDay, 24 * 3600),
)
