/** Limits that no test should meet by accident: all of its visitors come from one address. */
export const generousLimits = {
  LOGINS_PER_MINUTE: '100000',
  LOGINS_PER_ADDRESS_PER_MINUTE: '100000',
  LOGINS_PER_ACCOUNT_PER_HOUR: '100000',
  REGISTRATIONS_PER_HOUR: '100000',
  REQUESTS_PER_MINUTE: '1000000',
  SEARCHES_PER_MINUTE: '100000',
  VIEWS_PER_MINUTE: '100000',
  // of whatever machine the tests run on
  CACHE_MAX_DISK_PERCENT: '100',
}
