import { call } from '@kinora/contract/client.ts'
import { getSecondFactor } from '@kinora/contract/accounts/second-factor.ts'
import { queryOptions } from '@tanstack/react-query'
import { accountKeys } from '../../../lib/account-keys.ts'

/** Whether the account signs in with an authenticator app, too. */
export const secondFactorQuery = queryOptions({
  queryKey: accountKeys.secondFactor,
  queryFn: ({ signal }) => call(getSecondFactor, { signal }),
})
