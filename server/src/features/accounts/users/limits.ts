import { AppError } from '@kinora/platform/errors.ts'
import { errors } from '@kinora/contract/errors.ts'
import { defineLimit } from '../../../context/limits.ts'

/** Limit of an IPv6 network per limit of an address: a /48 has 65,536 networks of /64, each counted as one address. */
const addressesPerNetwork = 4

/** Failed logins with a password. A success resets or returns what it took. */
export const loginLimits = defineLimit(({ config, shared, slots }) => ({
  /** Per account and network. Not per account alone, or anyone could lock the owner out. */
  ofAccountAndNetwork: shared('logins', config.loginsPerMinute, 60),
  /** Per address to any account (password spraying). */
  ofAddress: shared('logins_of_address', config.loginsPerAddressPerMinute, 60),
  ofNetwork: shared('logins_of_network', config.loginsPerAddressPerMinute * addressesPerNetwork, 60),
  /** Per account from all addresses; more are delayed, not rejected. */
  ofAccount: shared('logins_of_account', config.loginsPerAccountPerHour, 3600),
  /** Concurrently delayed logins per account and network; otherwise a parallel attack would wait no longer than one login. */
  delayed: slots('delayed_logins', 1, (options) => new AppError(errors.tooManyAttempts, options)),
}))
