import { defineLimit } from '../../../context/limits.ts'

/** Wrong codes of a second factor. */
export const secondFactorLimits = defineLimit(({ config, shared }) => ({
  /** Per account and network. */
  ofNetwork: shared('second_factors', config.secondFactorsPerMinute, 60),
  /** Of the authenticator app per account, or per account and address that it has logged in from. */
  ofAccount: shared('second_factors_of_account', config.secondFactorsPerAccountPerHour, 3600),
}))
