import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { runningVideoImports } from '@kinora/contract/constants.ts'
import * as contract from '@kinora/contract/portability/video-imports.ts'
import type { WebContext } from '../../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { newId } from '@kinora/platform/ids.ts'
import { beginVideoImport } from './actions/begin-video-import.ts'
import { assertMayImport } from './actions/assert-may-import.ts'
import { deleteImportOf, listImportsOf } from './queries.ts'
import { keptImports, titleOfAddress, toVideoImport } from './rules.ts'

export const videoImportRoutes = [
  route(contract.listVideoImports, async ({ user }, { db }: WebContext) =>
    (await listImportsOf(db, user.id, keptImports)).map(toVideoImport),
  ),

  route(contract.createVideoImport, { clears: [] }, async ({ body, user }, context: WebContext) => {
    const { config, db, clock, jobs } = context
    if (!config.importByAddress) throw new AppError(portabilityErrors.noVideoImports)
    await assertMayImport(context, user)
    // percent-encodes what the database cannot store
    const url = new URL(body.url).href
    const row = {
      id: newId(),
      ownerId: user.id,
      url,
      title: body.title ?? titleOfAddress(url, config.titleMaxCharacters),
      visibility: body.visibility,
      createdAt: clock.now(),
    }
    return db.transaction().execute(async (transaction) => {
      const inserted = await beginVideoImport({ db: transaction, jobs }, row, runningVideoImports)
      if (!inserted) throw new AppError(portabilityErrors.videoImportLimit, { count: runningVideoImports })
      return toVideoImport(inserted)
    })
  }),

  route(contract.deleteVideoImport, { clears: [] }, async ({ params, user }, { db }: WebContext) => {
    if (!(await deleteImportOf(db, user.id, params.importId)))
      throw new AppError(portabilityErrors.videoImportNotFound)
    return null
  }),
]
