import { t } from '@lingui/core/macro'
import { watchLaterId } from '@kinora/contract/constants.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Clock } from 'lucide-react'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { ownPlaylistsQuery, playlistsOfVideoQuery, savePlaylistChoice } from './api.ts'
import styles from './watch-later-button.module.css'

/** Adds a video to Watch later, or removes it. For signed-in users only. */
export function WatchLaterButton({ videoId }: { videoId: string }) {
  const client = useQueryClient()
  const { data: playlists } = useQuery(ownPlaylistsQuery)
  const { data: chosen } = useQuery(playlistsOfVideoQuery(videoId))
  const id = playlists?.find(({ isWatchLater }) => isWatchLater)?._id
  const entryId = chosen?.find(({ playlistId }) => playlistId === id)?.entryId
  const saving = useMutation({
    mutationFn: () => savePlaylistChoice(client, { playlistId: id ?? watchLaterId, videoId, entryId }),
  })
  const isSaved = saving.isPending ? entryId === undefined : entryId !== undefined
  return (
    <span className={styles['place']}>
      <IconButton
        label={t`Watch later`}
        title={t`Watch later`}
        aria-pressed={isSaved}
        className={styles['button']}
        onClick={() => !saving.isPending && saving.mutate()}
      >
        <Icon of={Clock} />
      </IconButton>
      {saving.isError && (
        <span className={styles['failure']} role="alert">
          {failureMessage(saving.error)}
        </span>
      )}
    </span>
  )
}
