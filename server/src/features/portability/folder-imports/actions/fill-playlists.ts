import path from 'node:path'
import { describeError } from '@kinora/platform/errors.ts'
import type { Context } from '../../../../context/context.ts'
import { addVideo, createPlaylist } from '../../../watching/playlists/actions.ts'
import { listOwnPlaylists } from '../../../watching/playlists/queries/playlists.ts'
import { truncate } from '../../account-imports/rules.ts'
import type { FolderReport } from '../rules.ts'

/**
 * Adds the videos of each directory below a folder to the playlist with its name, such as "lessons / 2026". A new one is
 * private. Videos that it contains already stay where they are.
 */
export async function fillPlaylists(
  { db, config }: Pick<Context, 'db' | 'config'>,
  {
    folder,
    ownerId,
    brought,
  }: { folder: string; ownerId: string; brought: ReadonlyMap<string, ReadonlyMap<string, string>> },
  report: FolderReport,
): Promise<void> {
  const known = new Map((await listOwnPlaylists(db, ownerId)).map(({ title, _id }) => [title, _id]))
  for (const [directory, videos] of brought) {
    const name = path.relative(folder, directory)
    if (name === '' || videos.size === 0) continue
    const title = truncate(name.split(path.sep).join(' / ').toWellFormed(), config.titleMaxCharacters)
    try {
      const id = known.get(title) ?? (await createPlaylist(db, ownerId, { title, visibility: 'private' }))._id
      if (!known.has(title)) report.playlists.push(title)
      known.set(title, id)
      for (const file of [...videos.keys()].toSorted())
        await addVideo(db, id, ownerId, videos.get(file) ?? '')
    } catch (error) {
      report.leftOut.push({ path: directory, reason: describeError(error) })
    }
  }
}
