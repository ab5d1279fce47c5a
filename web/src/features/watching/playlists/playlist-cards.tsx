import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { Playlist } from '@kinora/contract/watching/playlists.ts'
import { cardThumbnailSizes } from '@kinora/contract/pictures.ts'
import { ListVideo } from 'lucide-react'
import { Link } from 'react-router'
import { videosOf } from '../../../lib/format/counts.ts'
import { visibilityLabels } from '../../../lib/visibility-labels.ts'
import { paths } from '../../../paths.ts'
import { Icon } from '../../../ui/icon.tsx'
import styles from './playlist-cards.module.css'
import { ErrorBoundary } from '../../../ui/feedback/error-boundary.tsx'
import { Thumbnail } from '../../../ui/thumbnail.tsx'
import { playlistName } from './playlist-name.ts'

/** Playlists in even columns: thumbnail of the first video, title, visibility, number of videos. */
export function PlaylistCards({ playlists }: { playlists: readonly Playlist[] }) {
  return (
    <ul className={styles['grid']}>
      {playlists.map((playlist) => (
        <li key={playlist._id} className={styles['card']}>
          <ErrorBoundary fallback={t`This playlist cannot be displayed.`}>
            <PlaylistCard playlist={playlist} />
          </ErrorBoundary>
        </li>
      ))}
    </ul>
  )
}

function PlaylistCard({ playlist }: { playlist: Playlist }) {
  return (
    <>
      <div className={styles['thumb']}>
        {playlist.thumbnail ? (
          <Thumbnail src={playlist.thumbnail} sizes={cardThumbnailSizes} />
        ) : (
          <Icon of={ListVideo} size={32} />
        )}
      </div>
      <h3>
        <Link to={paths.playlist(playlist._id)} dir="auto">
          {playlistName(playlist)}
        </Link>
      </h3>
      <p>
        {i18n._(visibilityLabels[playlist.visibility])} · {videosOf(playlist.videosCount)}
      </p>
    </>
  )
}
