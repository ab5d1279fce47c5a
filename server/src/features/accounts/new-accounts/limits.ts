import { newAccountBaseLimits } from '@kinora/contract/accounts/new-accounts.ts'
import { defineLimit } from '../../../context/limits.ts'

const daySeconds = 24 * 3600

/** Comments and reports of a new account within a day, where the site limits them. Uploads are counted by their rows. */
export const newAccountRateLimits = defineLimit(({ shared }) => ({
  comments: shared('new_account_comments', newAccountBaseLimits.comments, daySeconds),
  reports: shared('new_account_reports', newAccountBaseLimits.reports, daySeconds),
}))
