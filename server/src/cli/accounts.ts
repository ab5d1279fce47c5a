import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { register } from '@kinora/contract/users.ts'
import sharp from 'sharp'
import type { Context } from '../context.ts'
import { registerUser, removeCoverPicture, replacePicture } from '../features/users/actions.ts'
import { parseInput } from '../platform/http/routing/parse-input.ts'

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
  const directory = await mkdtemp(path.join(tmpdir(), 'kinora-user-'))
  try {
    const picture = avatar ?? (await drawColour(path.join(directory, 'avatar.png'), account.username))
    await registerUser(context, {
      ...parseInput(register.body, fields, context.config),
      invitation: undefined,
      avatar: picture,
      coverImage: undefined,
    })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Replaces a profile picture with the account's plain colour. */
export async function resetAvatar(
  context: Context,
  { id, username }: { id: string; username: string },
): Promise<void> {
  const directory = await mkdtemp(path.join(tmpdir(), 'kinora-user-'))
  try {
    const file = await drawColour(path.join(directory, 'avatar.png'), username)
    await replacePicture(context, id, 'avatar', file)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

export async function removeCover(context: Context, { id }: { id: string }): Promise<void> {
  await removeCoverPicture(context, id)
}

async function drawColour(file: string, name: string): Promise<string> {
  const [red = 0, green = 0, blue = 0] = createHash('sha256').update(name.toLowerCase()).digest()
  const background = { r: 64 + (red >> 1), g: 64 + (green >> 1), b: 64 + (blue >> 1) }
  await sharp({ create: { width: 512, height: 512, channels: 3, background } })
    .png()
    .toFile(file)
  return file
}
