import { defineLimit } from '../../../context/limits.ts'

/** Limit of requests for a mail per client address, as a multiple of the limit per account. */
const accountsPerAddress = 10

export const passwordResetLimits = defineLimit(({ config, shared }) => ({
  /** Requests for a new password by mail, per account; more are ignored silently. */
  ofAccount: shared('password_resets', config.passwordResetsPerHour, 3600),
  /** The same per client address. */
  ofAddress: shared('password_resets_of_address', config.passwordResetsPerHour * accountsPerAddress, 3600),
}))
