import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { giveBackInvitations } from '../invitations/queries.ts'
import { deletePictureLater } from '../../pictures/actions.ts'
import { deleteOldRegistrations } from './queries.ts'

/** Deletes registrations that nobody has confirmed, with their pictures. Their invitations can be used again. */
export const deleteOldUnconfirmed = defineJob({
  name: 'registrations.delete_old',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 60,
  retries: 2,
  cron: '52 * * * *',
  handle: async (_, context: Context) => {
    await context.db.transaction().execute(async (db) => {
      const { pictures, invitationIds } = await deleteOldRegistrations(db, context.clock.now())
      for (const picture of pictures) await deletePictureLater(context, db, picture)
      await giveBackInvitations(db, invitationIds)
    })
  },
})
