import { t } from '@lingui/core/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { formatFullCount } from '../../../lib/format/counts.ts'
import { itemsOf } from '../../../lib/list-pages.ts'
import { paths, type PlaylistPlace } from '../../../paths.ts'
import { Button, iconButtonClass } from '../../../ui/button.tsx'
import { LoadMore } from '../../../ui/feedback/load-more.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { placeQuery, playlistEntriesQuery, playlistQuery } from './api.ts'
import { EntryRow } from './entry-row.tsx'
import { ErrorBoundary } from '../../../ui/feedback/error-boundary.tsx'
import { moveFocus } from '../../../ui/move-focus.ts'
import styles from './playlist-column.module.css'
import { playlistName } from './playlist-name.ts'

/** The playlist next to the player: the current position, and the videos before and after it. */
export function PlaylistColumn({ videoId, place }: { videoId: string; place: PlaylistPlace }) {
  const { listId, shuffle } = place
  const { data: playlist } = useQuery(playlistQuery(listId))
  const { data: here } = useQuery(placeQuery(listId, videoId, shuffle))
  const [isFromStart, setFromStart] = useState(false)
  // The list stays the same while navigating among its videos.
  const [startCursor, setStartCursor] = useState<string | null | undefined>()
  if (here && startCursor === undefined) setStartCursor(here.startCursor)
  const entries = useInfiniteQuery({
    ...playlistEntriesQuery(listId, { shuffle, startCursor: isFromStart ? null : (startCursor ?? null) }),
    enabled: startCursor !== undefined,
  })
  const listed = itemsOf(entries.data).filter(({ video }) => video)
  const [focused, setFocused] = useState<string>()
  // Tab reaches one video of the list; arrow keys reach the others.
  const current = listed.find(({ video }) => video?._id === videoId) ?? listed[0]
  const tabStop = listed.find(({ _id }) => _id === focused)?._id ?? current?._id
  if (!playlist) return null
  return (
    <section className={styles['column']} aria-label={t`Playlist`}>
      <div className={styles['head']}>
        <div>
          <h2>
            <Link to={paths.playlist(listId)} dir="auto">
              {playlistName(playlist)}
            </Link>
          </h2>
          <p>
            {here && `${formatFullCount(here.index + 1)} / `}
            {formatFullCount(playlist.videosCount)}
            {shuffle && t` · shuffled`}
          </p>
        </div>
        {here?.previous && (
          <Link
            className={iconButtonClass()}
            to={paths.watchInPlaylist(here.previous._id, place)}
            aria-label={t`Previous video`}
          >
            <Icon of={ChevronLeft} />
          </Link>
        )}
        {here?.next && (
          <Link
            className={iconButtonClass()}
            to={paths.watchInPlaylist(here.next._id, place)}
            aria-label={t`Next video`}
          >
            <Icon of={ChevronRight} />
          </Link>
        )}
      </div>
      <div className={styles['scroll']}>
        {startCursor && !isFromStart && (
          <Button
            className={styles['start']}
            onClick={() => setFromStart(true)}
          >{t`From the beginning`}</Button>
        )}
        {/* The links inside take the focus. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <ol onKeyDown={moveFocus}>
          {itemsOf(entries.data).map((entry) => (
            <Entry key={entry._id} isCurrent={entry.video?._id === videoId}>
              <ErrorBoundary fallback={t`This video cannot be displayed.`}>
                <EntryRow
                  entry={entry}
                  linkTo={(id) => paths.watchInPlaylist(id, place)}
                  isCurrent={entry.video?._id === videoId}
                  isTabStop={entry._id === tabStop}
                  onFocus={() => setFocused(entry._id)}
                />
              </ErrorBoundary>
            </Entry>
          ))}
        </ol>
        <LoadMore query={entries} />
      </div>
    </section>
  )
}

/** An entry; the current one is scrolled to within the column. */
function Entry({ isCurrent, children }: { isCurrent: boolean; children: ReactNode }) {
  const ref = useRef<HTMLLIElement>(null)
  useEffect(() => {
    const item = ref.current
    const box = item?.closest<HTMLElement>(`.${styles['scroll']}`)
    if (isCurrent && item && box) box.scrollTop = item.offsetTop - box.offsetTop - 8
  }, [isCurrent])
  return <li ref={ref}>{children}</li>
}
