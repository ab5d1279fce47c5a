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
    if (!config.importByAddress)
      throw new AppError(
        'forbidden',
        'This site does not fetch videos from addresses. Upload the file instead.',
      )
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
      if (!inserted)
        throw new AppError(
          'conflict',
          `${runningVideoImports} imports are running. Wait until one has ended.`,
        )
      return toVideoImport(inserted)
    })
  }),

  route(contract.deleteVideoImport, { clears: [] }, async ({ params, user }, { db }: WebContext) => {
    if (!(await deleteImportOf(db, user.id, params.importId)))
      throw new AppError('not_found', 'There is no such import')
    return null
  }),
]
