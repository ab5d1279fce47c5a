import { constants, createReadStream } from 'node:fs'
import { copyFile, link, lstat, mkdir, rename, rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import { codeOf } from '@kinora/platform/errors.ts'
import { newId } from '@kinora/platform/ids.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'
import type { Context } from '../../../../context/context.ts'

/**
 * How a file becomes the source of a video. `reference`: a symbolic link in the storage; the file stays the only copy. `link`: a
 * hard link, which keeps the bytes when the file is deleted. `copy`: another file.
 */
export type Placement = 'reference' | 'link' | 'copy'

/** Makes a file the source of a key. Throws StartupError for a hard link to another file system. */
export async function placeFile(
  { storage }: Pick<Context, 'storage'>,
  { file, sourceKey, placement }: { file: string; sourceKey: string; placement: Placement },
): Promise<void> {
  const target = storage.pathOf(sourceKey)
  if (target === undefined) return storage.put(sourceKey, createReadStream(file))
  await mkdir(path.dirname(target), { recursive: true })
  if (placement === 'reference') await symlink(file, target)
  // file systems that can share blocks copy nothing
  else if (placement === 'copy') await copyFile(file, target, constants.COPYFILE_FICLONE)
  else
    await link(file, target).catch((error: unknown) => {
      if (codeOf(error) !== 'EXDEV') throw error
      throw new StartupError(
        `${file} is on another file system than DATA_DIR: leave out --link, or use --copy.`,
      )
    })
}

/** Points the reference of a video to the new path of its file; does nothing for other sources. */
export async function repoint(
  { storage }: Pick<Context, 'storage'>,
  sourceKey: string,
  file: string,
): Promise<void> {
  const target = storage.pathOf(sourceKey)
  const stats = target === undefined ? undefined : await lstat(target).catch(() => undefined)
  if (target === undefined || !stats?.isSymbolicLink()) return
  const draft = `${target}.${newId()}`
  try {
    await symlink(file, draft)
    await rename(draft, target)
  } finally {
    await rm(draft, { force: true })
  }
}
