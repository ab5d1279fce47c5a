import { t } from '@lingui/core/macro'
import type { Playlist } from '@kinora/contract/watching/playlists.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Globe, Link2, Lock, Plus } from 'lucide-react'
import { useState } from 'react'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../../ui/feedback/load-failure.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { ownPlaylistsQuery, playlistsOfVideoQuery, savePlaylistChoice } from './api.ts'
import { PlaylistForm } from './playlist-form.tsx'
import styles from './save-dialog.module.css'
import { playlistName } from './playlist-name.ts'

export const visibilityIcons = { private: Lock, unlisted: Link2, public: Globe }

/** The playlists of the caller with a checkbox each, and a form for another one. */
export function SaveDialog({ video, onClose }: { video: Pick<Video, '_id' | 'title'>; onClose: () => void }) {
  const client = useQueryClient()
  const playlists = useQuery(ownPlaylistsQuery)
  const chosen = useQuery(playlistsOfVideoQuery(video._id))
  const [isCreating, setCreating] = useState(false)
  const saving = useMutation({
    mutationFn: (choice: { playlistId: string; entryId: string | undefined }) =>
      savePlaylistChoice(client, { ...choice, videoId: video._id }),
  })
  const hasFailed = playlists.isError || chosen.isError
  return (
    <Dialog title={t`Save to playlist`} onClose={onClose} width={440}>
      <p className={styles['video']} dir="auto">
        {video.title}
      </p>
      {saving.isError && <Alert>{failureMessage(saving.error)}</Alert>}
      {hasFailed && (
        <LoadFailure
          title={t`Your playlists could not be loaded`}
          onRetry={() => void Promise.all([playlists.refetch(), chosen.refetch()])}
        />
      )}
      {playlists.data && chosen.data && (
        <ul className={styles['list']}>
          {playlists.data.map((playlist) => (
            <Choice
              key={playlist._id}
              playlist={playlist}
              entryId={chosen.data.find(({ playlistId }) => playlistId === playlist._id)?.entryId}
              isSaving={saving.isPending && saving.variables.playlistId === playlist._id}
              onToggle={(entryId) => saving.mutate({ playlistId: playlist._id, entryId })}
            />
          ))}
        </ul>
      )}
      {isCreating ? (
        <PlaylistForm
          onCancel={() => setCreating(false)}
          onSaved={({ _id }) => {
            setCreating(false)
            saving.mutate({ playlistId: _id, entryId: undefined })
          }}
        />
      ) : (
        <Button className={styles['new']} onClick={() => setCreating(true)}>
          <Icon of={Plus} />
          {t`New playlist`}
        </Button>
      )}
    </Dialog>
  )
}

function Choice({
  playlist,
  entryId,
  isSaving,
  onToggle,
}: {
  playlist: Playlist
  entryId: string | undefined
  isSaving: boolean
  onToggle: (entryId: string | undefined) => void
}) {
  // While the choice is saved, the checkbox shows the new state.
  const isChecked = isSaving ? entryId === undefined : entryId !== undefined
  return (
    <li>
      <label className={styles['choice']}>
        <input type="checkbox" checked={isChecked} disabled={isSaving} onChange={() => onToggle(entryId)} />
        <span dir="auto">{playlistName(playlist)}</span>
        <Icon of={visibilityIcons[playlist.visibility]} size={16} />
      </label>
    </li>
  )
}
