import { defineLimit } from '../../../context/limits.ts'

/** Changes of the email address per account. */
export const emailChangeLimit = defineLimit(({ config, shared }) =>
  shared('email_changes', config.emailChangesPerHour, 3600),
)
