import { randomBytes } from 'node:crypto'
import { register as registration } from '@kinora/contract/accounts/registrations.ts'
import type { Context } from '../context/context.ts'
import { record } from '../features/operations/administration/actions/audit-log.ts'
import { registerUser } from '../features/accounts/users/actions/register-user.ts'
import { removeCoverPicture, replacePicture } from '../features/accounts/users/actions/change-pictures.ts'
import { withPlainPicture } from '@kinora/media/pictures/plain-picture.ts'
import { parseInput } from '@kinora/platform/http/routing/parse-input.ts'

/** Returns a random password. */
export const newPassword = () => randomBytes(12).toString('base64url')

/** Creates an account by the rules of the registration form, with a plain colour as profile picture. */
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
  const register = (picture: string) =>
    registerUser(
      context,
      {
        ...parseInput(registration.body, fields, context.config),
        invitation: undefined,
        avatar: picture,
        coverImage: undefined,
      },
      {
        also: (db) => record({ ...context, db }, null, 'create_account', [{ subject: account.username }]),
      },
    )
  await (avatar ? register(avatar) : withPlainPicture(account.username, register))
}

/** Replaces a profile picture with the account's plain colour. */
export async function resetAvatar(
  context: Context,
  { id, username }: { id: string; username: string },
): Promise<void> {
  await withPlainPicture(username, (file) => replacePicture(context, id, 'avatar', file))
}

export async function removeCover(context: Context, { id }: { id: string }): Promise<void> {
  await removeCoverPicture(context, id)
}
