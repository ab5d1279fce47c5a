import { newAccountLimits as maxima } from '@kinora/contract/accounts/new-accounts.ts'
import { defineLimit } from '../../../context/limits.ts'

const daySeconds = 24 * 3600

/** Comments and reports of a new account within a day, where the site limits them. Uploads are counted by their rows. */
export const newAccountLimits = defineLimit(({ shared }) => ({
  comments: shared('new_account_comments', maxima.comments, daySeconds),
  reports: shared('new_account_reports', maxima.reports, daySeconds),
}))
