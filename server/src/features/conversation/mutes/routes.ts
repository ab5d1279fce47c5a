import { conversationErrors } from '@kinora/contract/conversation/errors.ts'
import { mutedPeopleMax } from '@kinora/contract/constants.ts'
import * as contract from '@kinora/contract/conversation/mutes.ts'
import type { WebContext } from '../../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { markMutedAsRead } from '../../messages/notifications/queries/notifications.ts'
import { getUserId } from '../../accounts/users/queries.ts'
import * as queries from './queries.ts'
import { writeLimit } from '../../../context/limits.ts'

export const muteRoutes = [
  route(contract.listMutedPeople, ({ user }, { db }: WebContext) => queries.listMutedPeople(db, user.id)),

  route(
    contract.mutePerson,
    { clears: [] },
    async ({ params, body: { isBlocked }, user }, { db, limits }: WebContext) => {
      limits.of(writeLimit).assertAllowed(user.id)
      const personId = await getUserId(db, params.username)
      if (personId === user.id) throw new AppError(conversationErrors.cannotMuteYourself)
      return db.transaction().execute(async (transaction) => {
        if (!(await queries.putMutedPerson(transaction, { userId: user.id, personId, isBlocked })))
          throw new AppError(conversationErrors.muteLimit, { limit: mutedPeopleMax })
        await markMutedAsRead(transaction, user.id, personId)
        return null
      })
    },
  ),

  route(contract.unmutePerson, { clears: [] }, async ({ params, user }, { db, limits }: WebContext) => {
    limits.of(writeLimit).assertAllowed(user.id)
    await queries.deleteMutedPerson(db, user.id, await getUserId(db, params.username))
    return null
  }),
]
