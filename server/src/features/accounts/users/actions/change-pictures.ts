import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import type { Context } from '../../../../context/context.ts'
import { discardPicture, deletePictureLater, storePicture } from '../../../pictures/actions.ts'
import { updatePicture } from '../queries.ts'

/** Replaces a picture; the old files are deleted later. */
export async function replacePicture(
  context: Pick<Context, 'db' | 'jobs'> & Parameters<typeof storePicture>[0],
  userId: string,
  column: 'avatar' | 'coverImage',
  file: string,
): Promise<void> {
  const kind = column === 'avatar' ? 'avatar' : 'cover'
  const picture = await storePicture(context, file, kind, accountErrors.pictureMissing)
  try {
    await context.db.transaction().execute(async (transaction) => {
      const old = await updatePicture(transaction, userId, column, picture)
      if (old) await deletePictureLater(context, transaction, old)
    })
  } catch (error) {
    await discardPicture(context, picture)
    throw error
  }
}

/** Removes the cover picture; its files are deleted later. */
export async function removeCoverPicture(
  context: Pick<Context, 'db' | 'jobs'>,
  userId: string,
): Promise<void> {
  await context.db.transaction().execute(async (transaction) => {
    const old = await updatePicture(transaction, userId, 'coverImage', null)
    if (old) await deletePictureLater(context, transaction, old)
  })
}
