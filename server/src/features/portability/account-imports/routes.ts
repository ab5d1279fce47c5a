import { videoErrors } from '@kinora/contract/videos/errors.ts'
import * as contract from '@kinora/contract/portability/account-imports.ts'
import type { WebContext } from '../../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import type { ResumableUploads } from '../../videos/uploads/actions/resumable.ts'
import { startImport } from './actions/start-import.ts'
import { cancelImportOf, deleteImportOf, findImportOf } from './queries.ts'
import { toAccountImport } from './rules.ts'
import { accountImportLimit } from './limits.ts'

/** Endpoints that import a resumable upload into an account. */
export const accountImportRoutes = (uploads: ResumableUploads) => [
  route(contract.getAccountImport, async ({ user }, { db }: WebContext) => {
    const found = await findImportOf(db, user.id)
    return found ? toAccountImport(found) : null
  }),

  route(contract.createAccountImport, { clears: [] }, async ({ user, body }, context: WebContext) => {
    const { isComplete } = await uploads.assertOwn(body.uploadId, user.id)
    if (!isComplete) throw new AppError(videoErrors.uploadIncomplete)
    await context.limits.of(accountImportLimit).assertAllowed(context.db, user.id)
    return startImport(context, user.id, body.uploadId)
  }),

  route(contract.deleteAccountImport, { clears: [] }, async ({ user }, { db }: WebContext) => {
    // the job deletes the upload
    if (!(await cancelImportOf(db, user.id))) await deleteImportOf(db, user.id)
    return null
  }),
]
