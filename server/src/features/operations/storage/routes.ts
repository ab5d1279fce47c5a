import * as contract from '@kinora/contract/operations/storage.ts'
import type { WebContext } from '../../../context/context.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { freeSpace, getStorageUse } from './actions.ts'

export const storageRoutes = [
  route(contract.getStorageUse, (_, context: WebContext) => getStorageUse(context)),

  route(contract.freeSpace, { clears: [] }, async ({ user }, context: WebContext) => {
    await freeSpace(context, user)
    return null
  }),
]
