import * as contract from '@kinora/contract/portability/account-exports.ts'
import { apiPrefix } from '@kinora/contract/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import type { WebContext } from '../../../context/context.ts'
import { AppError, signInFirst } from '@kinora/platform/errors.ts'
import { ObjectSender } from '@kinora/platform/http/delivery/send-object.ts'
import type { Authenticate } from '@kinora/platform/http/routing/register-routes.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { discardExport, startExport } from './actions/start-export.ts'
import { findExportOf } from './queries/exports.ts'
import { exportKey, toAccountExport } from './rules.ts'
import { accountExportLimit } from './limits.ts'

export const accountExportRoutes = [
  route(contract.getAccountExport, async ({ user }, { db, clock }: WebContext) => {
    const found = await findExportOf(db, user.id, clock.now())
    return found ? toAccountExport(found) : null
  }),

  route(contract.createAccountExport, { clears: [] }, async ({ user }, context: WebContext) => {
    await context.limits.of(accountExportLimit).assertAllowed(context.db, user.id)
    return startExport(context, user.id)
  }),

  route(contract.deleteAccountExport, { clears: [] }, async ({ user }, context: WebContext) => {
    await context.db
      .transaction()
      .execute((transaction) => discardExport({ ...context, db: transaction }, user.id))
    return null
  }),
]

/** Serves the archive of the caller's account, with byte ranges. */
export function serveAccountExport(
  app: FastifyInstance,
  { db, clock, storage, config }: WebContext,
  authenticate: Authenticate,
): void {
  const sender = new ObjectSender(storage, config.mediaDelivery)
  app.addHook('onClose', async () => sender.close())
  app.get(apiPrefix + contract.accountArchivePath, async (request, reply) => {
    const viewer = await authenticate(request, reply, null)
    if (!viewer) throw signInFirst()
    const found = await findExportOf(db, viewer.id, clock.now())
    const missing = new AppError('not_found', 'There is no export to download. Start a new one.')
    if (found?.state !== 'ready') throw missing
    const day = found.createdAt.toISOString().slice(0, 10)
    reply.header('content-disposition', `attachment; filename="kinora-${viewer.username}-${day}.zip"`)
    const isSent = await sender.send(request, reply, exportKey(found.id), {
      type: 'application/zip',
      cacheControl: 'private, no-store',
      isSameOriginOnly: true,
    })
    if (isSent) return reply
    reply.removeHeader('content-disposition')
    throw missing
  })
}
