import { createPlaylist } from '@kinora/contract/watching/playlists.ts'
import type { PlaylistVisibility } from '@kinora/contract/watching/playlists.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { parseInput } from '@kinora/platform/http/routing/parse-input.ts'
import { addEntries, addPlaylist } from '../../../watching/playlists/actions.ts'
import { findItem, hasPlaylist, putItem } from '../queries.ts'
import { truncate } from '../rules.ts'
import type { ImportRun } from './import-run.ts'
import { resolveItems } from './resolve-items.ts'

/** A playlist of an archive. */
export interface ImportedPlaylist {
  origin: string
  isWatchLater: boolean
  title: string
  description: string
  visibility: PlaylistVisibility
  createdAt: Date
  updatedAt: Date
  /** With the origins of the videos. */
  entries: readonly { id: string; name: string | null; addedAt: string }[]
  /** Whether exports contain entries again that are not on this site. */
  keepsUnresolved?: boolean
}

const kind = 'playlists'

/** Creates a playlist with those of its videos that are here. One that the account imported before stays as it is. */
export async function importPlaylist(run: ImportRun, playlist: ImportedPlaylist): Promise<void> {
  const { report, userId, context } = run
  const { origin, entries, title, description, keepsUnresolved = false, ...state } = playlist
  await run.step(`${kind}/${origin}`, async (transaction) => {
    const item = { userId, kind: 'playlist', origin }
    const known = (await findItem(transaction, item))?.itemId
    const isKnown = async (id: string | undefined) =>
      id !== undefined && (await hasPlaylist(transaction, userId, id))
    if (!state.isWatchLater && ((await isKnown(origin)) || (await isKnown(known))))
      return report.count(kind, 'present')
    let id
    try {
      const texts = parseInput(
        createPlaylist.body,
        {
          title: truncate(title, context.config.titleMaxCharacters),
          description: truncate(description, context.config.descriptionMaxCharacters),
          visibility: state.visibility,
        },
        context.config,
      )
      id = await addPlaylist(transaction, userId, {
        ...state,
        title: texts.title,
        description: texts.description ?? '',
      })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return report.skip(kind, title, error)
    }
    if (!state.isWatchLater) await putItem(transaction, { ...item, itemId: id, isComplete: true })
    const found = await resolveItems(run, transaction, entries, {
      kind: 'playlist entries',
      keptIn: keepsUnresolved ? { file: 'playlists.json', list: id } : undefined,
      videoOf: (entry) => entry,
    })
    const added = await addEntries(transaction, id, found)
    if (!state.isWatchLater) report.count(kind, 'imported')
    report.count('playlist entries', 'imported', added)
    report.count('playlist entries', 'present', found.length - added)
  })
}
