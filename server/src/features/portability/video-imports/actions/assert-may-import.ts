import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { isTestAccount } from '@kinora/contract/constants.ts'
import type { WebContext } from '../../../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import type { Viewer } from '@kinora/platform/http/routing/route.ts'
import { assertNewAccountMayUpload } from '../../../videos/uploads/actions/quota.ts'
import { videoImportLimit } from '../limits.ts'

/** Throws `forbidden` or `too_many_requests` if an account may not import from an address now. Counts as one import. */
export async function assertMayImport(context: WebContext, { id, username }: Viewer): Promise<void> {
  if (isTestAccount(username, context.config)) throw new AppError(portabilityErrors.sharedAccountImport)
  await assertNewAccountMayUpload(context, id)
  await context.limits.of(videoImportLimit).assertAllowed(context.db, id)
}
