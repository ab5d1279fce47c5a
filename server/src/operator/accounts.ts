import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { register } from '@kinora/contract/users.ts'
import sharp from 'sharp'
import type { Context } from '../context.ts'
import * as comments from '../features/comments/queries.ts'
import { retirePicture } from '../features/pictures/actions.ts'
import { deleteLockedVideo } from '../features/videos/actions.ts'
import * as videos from '../features/videos/queries.ts'
import { registerUser, suspendUser } from '../features/users/actions.ts'
import * as users from '../features/users/queries.ts'
import { parseInput } from '../platform/http/parse-input.ts'
import { getAccount, lockAccount } from './queries.ts'

/** A password that nobody has to think of. */
export const newPassword = () => randomBytes(12).toString('base64url')

/** Makes an account by the rules of the registration form. Without a picture it gets a plain colour of its own. */
export async function createUser(
  context: Context,
  account: {
    username: string
    email: string
    fullname: string
    password: string
    avatar: string | undefined
  },
): Promise<void> {
  const { avatar, ...fields } = account
  const directory = await mkdtemp(path.join(tmpdir(), 'kinora-user-'))
  try {
    const picture = avatar ?? (await drawColour(path.join(directory, 'avatar.png'), account.username))
    await registerUser(context, {
      ...parseInput(register.body, fields, context.config),
      avatar: picture,
      coverImage: undefined,
    })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function drawColour(file: string, name: string): Promise<string> {
  const [red = 0, green = 0, blue = 0] = createHash('sha256').update(name.toLowerCase()).digest()
  const background = { r: 64 + (red >> 1), g: 64 + (green >> 1), b: 64 + (blue >> 1) }
  await sharp({ create: { width: 512, height: 512, channels: 3, background } })
    .png()
    .toFile(file)
  return file
}

/**
 * Deletes an account with everything it made and said: videos, comments, likes, subscriptions, history. Signs it out
 * first, so that nothing is added meanwhile. Answers how many videos went.
 */
export async function deleteAccount(context: Context, name: string): Promise<number> {
  const { db } = context
  const { id, avatar, coverImage } = await getAccount(db, name)
  await suspendUser(context, id)
  return db.transaction().execute(async (transaction) => {
    const own = await lockAccount(transaction, id)
    for (const video of own)
      await deleteLockedVideo({ ...context, db: transaction }, video.id, video.thumbnail)
    await videos.takeBackLikes(transaction, id)
    await comments.takeBackLikes(transaction, id)
    await users.takeBackSubscriptions(transaction, id)
    await users.deleteUser(transaction, id)
    for (const picture of [avatar, coverImage])
      if (picture) await retirePicture(context, transaction, picture)
    return own.length
  })
}
