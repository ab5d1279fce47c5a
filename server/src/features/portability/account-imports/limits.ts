import { defineLimit } from '../../../context/limits.ts'

/** Imports per account. */
export const accountImportLimit = defineLimit(({ config, shared }) =>
  shared('account_imports', config.accountImportsPerDay, 24 * 3600),
)
