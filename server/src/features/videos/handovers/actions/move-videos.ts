import type { Context } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import { publishVisibility } from '../../../visibility/queries.ts'
import { deleteIntrosOf } from '../../intros/queries.ts'
import { updateOwner } from '../../videos/queries/videos.ts'
import * as queries from '../queries.ts'

/** Videos that change their owner in one transaction, whose locks keep changes of these videos waiting. */
const batchSize = 500

/** Moves a batch of given videos to their receiver. Returns how many it has moved. */
export async function moveBatch(
  transaction: Db,
  { giverId, receiverId }: { giverId: string; receiverId: string },
): Promise<number> {
  const ids = await queries.lockMoving(transaction, { giverId, receiverId, limit: batchSize })
  if (ids.length === 0) return 0
  await updateOwner(transaction, ids, receiverId)
  await deleteIntrosOf(transaction, ids)
  await queries.endMoving(transaction, { giverId, receiverId, ids })
  await publishVisibility(transaction, ...ids)
  return ids.length
}

/**
 * Moves the rest of a large channel. What was taken down meanwhile stays with the giver, and everything that is left once
 * one of the accounts is suspended or being deleted.
 */
export async function moveRest(
  { db }: Pick<Context, 'db'>,
  accounts: { giverId: string; receiverId: string },
  signal: AbortSignal,
): Promise<void> {
  const move = () =>
    db.transaction().execute(async (transaction) => {
      const areActive =
        (await queries.lockActive(transaction, accounts.giverId)) &&
        (await queries.lockActive(transaction, accounts.receiverId))
      const moved = areActive ? await moveBatch(transaction, accounts) : 0
      if (moved === 0) await queries.deleteStaying(transaction, { ...accounts, all: !areActive })
      return moved
    })
  while ((await move()) > 0) signal.throwIfAborted()
}
