import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import * as contract from '@kinora/contract/portability/account-exports.ts'
import { apiPrefix } from '@kinora/contract/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import type { WebContext } from '../../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { ObjectSender } from '@kinora/platform/http/delivery/send-object.ts'
import { rawRoute, type RawRoute } from '@kinora/platform/http/routing/raw-route.ts'
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

/** The archive of the caller's account, with byte ranges. */
export function accountArchiveRoutes(
  { storage, config }: Pick<WebContext, 'storage' | 'config'>,
  lifetime: Pick<FastifyInstance, 'addHook'>,
): RawRoute<WebContext>[] {
  const sender = new ObjectSender(storage, config.mediaDelivery)
  lifetime.addHook('onClose', async () => sender.close())
  return [
    rawRoute(
      { method: 'GET', path: apiPrefix + contract.accountArchivePath, auth: 'required' },
      async ({ user, request, reply }, { db, clock }: WebContext) => {
        const found = await findExportOf(db, user.id, clock.now())
        const missing = new AppError(portabilityErrors.exportNotFound)
        if (found?.state !== 'ready') throw missing
        const day = found.createdAt.toISOString().slice(0, 10)
        reply.header('content-disposition', `attachment; filename="kinora-${user.username}-${day}.zip"`)
        const isSent = await sender.send(request, reply, exportKey(found.id), {
          type: 'application/zip',
          cacheControl: 'private, no-store',
          isSameOriginOnly: true,
        })
        if (isSent) return reply
        reply.removeHeader('content-disposition')
        throw missing
      },
    ),
  ]
}
