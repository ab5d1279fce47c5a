import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ApiError, call } from '@kinora/contract/client.ts'
import { apiPrefix } from '@kinora/contract/endpoint.ts'
import {
  type DetailedPlaylist,
  type PlaylistEntry,
  deletePlaylist,
  moveInPlaylist,
  removeFromPlaylist,
} from '@kinora/contract/watching/playlists.ts'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, Link2, Pencil, Play, Share2, Shuffle, Trash2 } from 'lucide-react'
import { lazy, Suspense, useId, useRef, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { isSameUsername, useAuth } from '../../features/accounts/sessions/use-auth.ts'
import {
  playlistEntriesQuery,
  playlistQuery,
  refreshPlaylists,
} from '../../features/watching/playlists/api.ts'
import { PlaylistForm } from '../../features/watching/playlists/playlist-form.tsx'
import { PlainEntries, SortableEntries } from '../../features/watching/playlists/sortable-entries.tsx'
import { VideoRowsSkeleton } from '../../features/videos/videos/cards/video-grid.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { copyText } from '../../lib/browser/copy-text.ts'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { videosOf } from '../../lib/format/counts.ts'
import { formatTotal } from '../../lib/format/total-duration.ts'
import { itemsOf } from '../../lib/list-pages.ts'
import { visibilityLabels } from '../../lib/visibility-labels.ts'
import { paths } from '../../paths.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { FeedLink } from '../../ui/feed-link.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MoreActions } from '../../ui/more-actions.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { QuerySection } from '../../ui/query-section.tsx'
import { ErrorPage } from '../error-page.tsx'
import styles from './library.module.css'
import { playlistName } from '../../features/watching/playlists/playlist-name.ts'

const ShareLinksSection = lazy(async () => ({
  default: (await import('../../features/videos/share-links/share-links-section.tsx')).ShareLinksSection,
}))

/** One playlist: its facts, what can be done with it, its videos. */
export function PlaylistPage() {
  const { playlistId = '' } = useParams()
  const query = useQuery(playlistQuery(playlistId))
  const { data, error } = query
  if (!data && error instanceof ApiError && error.status === 404) return <ErrorPage />
  return (
    <QuerySection query={query} failure={t`Could not load the playlist`} skeleton={<VideoRowsSkeleton />}>
      {(playlist) => <PlaylistView key={playlist._id} playlist={playlist} />}
    </QuerySection>
  )
}

function PlaylistView({ playlist }: { playlist: DetailedPlaylist }) {
  const { authData } = useAuth()
  const isOwn = isSameUsername(authData?.username, playlist.owner.username)
  const query = useInfiniteQuery(playlistEntriesQuery(playlist._id))
  const entries = itemsOf(query.data)
  const { move, moveToEnd, remove, error } = useEntryChanges(playlist._id)
  const place = { listId: playlist._id }
  const linksId = useId()
  const [hasLinks, setLinks] = useState(false)
  return (
    <div className={styles['list']}>
      <PageTitle title={playlistName(playlist)} />
      <h1 className={styles['heading']} dir="auto">
        {playlistName(playlist)}
      </h1>
      <p className={styles['facts']}>
        <Link to={paths.channel(playlist.owner.username)}>{playlist.owner.fullname}</Link> ·{' '}
        {i18n._(visibilityLabels[playlist.visibility])} · {videosOf(playlist.videosCount)} ·{' '}
        {formatTotal(playlist.duration)}
        {playlist.unavailableCount > 0 && t` · ${playlist.unavailableCount} unavailable`}
      </p>
      {playlist.description && (
        <p className={styles['description']} dir="auto">
          {playlist.description}
        </p>
      )}
      <Actions
        playlist={playlist}
        isOwn={isOwn}
        links={{ id: linksId, isOpen: hasLinks, onToggle: () => setLinks(!hasLinks) }}
      />
      {isOwn && hasLinks && (
        <div id={linksId}>
          <Suspense>
            <ShareLinksSection to={{ playlistId: playlist._id }} />
          </Suspense>
        </div>
      )}
      {error && <Alert>{failureMessage(error)}</Alert>}
      <PagedList
        query={query}
        items={entries}
        failure={t`Could not load the videos`}
        skeleton={<VideoRowsSkeleton />}
        empty={
          <EmptyState
            title={t`No videos yet`}
            text={t`Choose "Save to playlist" at a video, and it is listed here.`}
          />
        }
      >
        {(items) =>
          isOwn ? (
            <SortableEntries
              entries={items}
              place={place}
              onMove={move}
              onMoveToEnd={(from) => moveToEnd(from, !query.hasNextPage)}
              onRemove={remove}
            />
          ) : (
            <PlainEntries entries={items} place={place} />
          )
        }
      </PagedList>
    </div>
  )
}

/** Moves and removes entries: shown immediately, and undone when the server rejects it. */
function useEntryChanges(playlistId: string) {
  const client = useQueryClient()
  const { queryKey } = playlistEntriesQuery(playlistId)
  const entriesNow = () => itemsOf(client.getQueryData(queryKey))
  const show = (entries: PlaylistEntry[]) =>
    client.setQueryData(queryKey, (data) => {
      if (!data) return data
      let from = 0
      const pages = data.pages.map((page, index) => {
        const isLast = index === data.pages.length - 1
        const items = entries.slice(from, isLast ? undefined : from + page.items.length)
        from += items.length
        return { ...page, items }
      })
      return { ...data, pages }
    })
  const saving = useMutation({
    mutationFn: (change: () => Promise<unknown>) => change(),
    // One after the other: the second move counts from where the first one ends.
    scope: { id: `playlist ${playlistId}` },
    onSettled: (_, error) => {
      if (error) return refreshPlaylists(client)
      return client.invalidateQueries({ queryKey: playlistQuery(playlistId).queryKey })
    },
  })
  return {
    error: saving.error,
    move(from: number, to: number) {
      const entries = entriesNow()
      const [moved] = entries.splice(from, 1)
      if (!moved) return
      entries.splice(to, 0, moved)
      show(entries)
      const params = { playlistId, entryId: moved._id }
      const afterEntryId = entries[to - 1]?._id ?? null
      saving.mutate(() => call(moveInPlaylist, { params, body: { afterEntryId } }))
    },
    /** Shows the entry at the end if all entries are loaded, else it leaves the list. */
    moveToEnd(from: number, isComplete: boolean) {
      const entries = entriesNow()
      const [moved] = entries.splice(from, 1)
      if (!moved) return
      show(isComplete ? [...entries, moved] : entries)
      saving.mutate(() => call(moveInPlaylist, { params: { playlistId, entryId: moved._id }, body: {} }))
    },
    remove(entry: PlaylistEntry) {
      show(entriesNow().filter(({ _id }) => _id !== entry._id))
      saving.mutate(() => call(removeFromPlaylist, { params: { playlistId, entryId: entry._id } }))
    },
  }
}

function Actions({
  playlist,
  isOwn,
  links,
}: {
  playlist: DetailedPlaylist
  isOwn: boolean
  links: { id: string; isOpen: boolean; onToggle: () => void }
}) {
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const { data } = useInfiniteQuery(playlistEntriesQuery(playlist._id))
  const first = itemsOf(data).find(({ video }) => video)?.video
  const shuffling = useShuffle(playlist._id)
  const menuButton = useRef<HTMLButtonElement>(null)
  const close = () => setDialog(null)
  const isShared = playlist.visibility !== 'private'
  const file = `${apiPrefix}/playlists/${playlist._id}/export`
  return (
    <div className={styles['actions']}>
      {first && (
        <Link
          className={buttonClass('solid')}
          to={paths.watchInPlaylist(first._id, { listId: playlist._id })}
        >
          <Icon of={Play} isFilled />
          {t`Play all`}
        </Link>
      )}
      {first && (
        <Button
          aria-disabled={shuffling.isPending}
          onClick={() => !shuffling.isPending && shuffling.mutate()}
        >
          <Icon of={Shuffle} />
          {t`Shuffle`}
        </Button>
      )}
      {isOwn && !playlist.isWatchLater && (
        <>
          <Button onClick={() => setDialog('edit')}>
            <Icon of={Pencil} />
            {t`Change`}
          </Button>
          <Button aria-expanded={links.isOpen} aria-controls={links.id} onClick={links.onToggle}>
            <Icon of={Link2} />
            {t`Share links`}
          </Button>
          <Button onClick={() => setDialog('delete')}>
            <Icon of={Trash2} />
            {t`Delete`}
          </Button>
        </>
      )}
      {isShared && <ShareAction path={paths.playlist(playlist._id)} />}
      {(isShared || playlist.videosCount > 0) && (
        <MoreActions ref={menuButton}>
          {playlist.videosCount > 0 && (
            <>
              <a href={`${file}.json`} download>
                <Icon of={Download} size={18} />
                {t`JSON`}
              </a>
              <a href={`${file}.m3u`} download>
                <Icon of={Download} size={18} />
                M3U
              </a>
            </>
          )}
          {isShared && <FeedLink path={paths.playlistFeed(playlist._id)} />}
        </MoreActions>
      )}
      {shuffling.isError && <Alert>{failureMessage(shuffling.error)}</Alert>}
      {dialog === 'edit' && (
        <Dialog title={t`Change playlist`} onClose={close} width={520} closesOnOutsideClick={false}>
          <PlaylistForm playlist={playlist} onCancel={close} onSaved={close} />
        </Dialog>
      )}
      {dialog === 'delete' && <DeleteDialog playlist={playlist} onClose={close} />}
    </div>
  )
}

/** Copies the address of a playlist. */
function ShareAction({ path }: { path: string }) {
  const root = useRef<HTMLSpanElement>(null)
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  async function copy() {
    if (!root.current) return
    setOutcome((await copyText(location.origin + path, root.current)) ? 'copied' : 'failed')
  }
  return (
    <span ref={root} className={styles['share']}>
      <Button onClick={() => void copy()}>
        <Icon of={Share2} />
        {t`Share`}
      </Button>
      <span role="status">
        {outcome === 'copied' && t`Link copied!`}
        {outcome === 'failed' && t`Could not copy. Copy the address of this page.`}
      </span>
    </span>
  )
}

/** Opens the first available video of a new random order. */
function useShuffle(playlistId: string) {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async () => {
      const shuffle = Math.random().toString(36).slice(2, 10)
      const data = await client.fetchInfiniteQuery(playlistEntriesQuery(playlistId, { shuffle }))
      const first = itemsOf(data).find(({ video }) => video)?.video
      if (first) await navigate(paths.watchInPlaylist(first._id, { listId: playlistId, shuffle }))
    },
  })
}

function DeleteDialog({ playlist, onClose }: { playlist: DetailedPlaylist; onClose: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const deleting = useMutation({
    mutationFn: () => call(deletePlaylist, { params: { playlistId: playlist._id } }),
    onSuccess: async () => {
      await navigate(paths.library(), { replace: true })
      client.removeQueries({ queryKey: playlistQuery(playlist._id).queryKey })
      void refreshPlaylists(client)
    },
  })
  return (
    <Dialog title={t`Delete playlist`} onClose={onClose} width={440}>
      {deleting.isError && <Alert>{failureMessage(deleting.error)}</Alert>}
      <p>
        <Trans>
          <b dir="auto">{playlistName(playlist)}</b> will be deleted. Its videos stay.
        </Trans>
      </p>
      <DialogActions>
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button
          variant="danger"
          disabled={deleting.isPending}
          onClick={() => deleting.mutate()}
        >{t`Delete`}</Button>
      </DialogActions>
    </Dialog>
  )
}
