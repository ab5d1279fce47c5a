import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../context/context.ts'
import { archiveOf } from '../features/portability/account-exports/actions/archive.ts'
import { getAccount } from '../features/operations/administration/queries.ts'
import { codeOf } from '@kinora/platform/errors.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'

/** Writes the archive of an account to a file, which must not exist. A failure leaves no file. */
export async function writeArchive(
  context: Context,
  name: string,
  file: string,
): Promise<{ username: string; sizeBytes: number }> {
  const { id, username } = await getAccount(context.db, name)
  const target = createWriteStream(file, { flags: 'wx', mode: 0o600 })
  const archive = archiveOf(
    context,
    { userId: id, onBytes: async () => undefined },
    new AbortController().signal,
  )
  try {
    await pipeline(archive, target)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new StartupError(`${file} exists. Name a new file.`)
    if (!target.pending) await rm(file, { force: true })
    throw error
  }
  return { username, sizeBytes: target.bytesWritten }
}
