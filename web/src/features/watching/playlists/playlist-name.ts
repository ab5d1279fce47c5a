import { t } from '@lingui/core/macro'
import type { Playlist } from '@kinora/contract/watching/playlists.ts'

/** The title of a playlist. The one that every account has is named by the interface. */
export const playlistName = ({ isWatchLater, title }: Pick<Playlist, 'isWatchLater' | 'title'>) =>
  isWatchLater ? t`Watch later` : title
