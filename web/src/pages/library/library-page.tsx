import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { MembersOnly } from '../../features/auth/guards.tsx'
import { ownPlaylistsQuery } from '../../features/playlists/api.ts'
import { PlaylistCards } from '../../features/playlists/playlist-cards.tsx'
import { PlaylistForm } from '../../features/playlists/playlist-form.tsx'
import { VideoGridSkeleton } from '../../features/videos/video-grid.tsx'
import { useDocumentTitle } from '../../lib/browser/use-document-title.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { Icon } from '../../ui/icon.tsx'
import styles from './library.module.css'

/** The playlists of the person who is signed in. */
export function LibraryPage() {
  useDocumentTitle('Library')
  return (
    <MembersOnly skeleton={<VideoGridSkeleton count={4} />}>
      <Library />
    </MembersOnly>
  )
}

function Library() {
  const { data: playlists, isPending, isError, refetch } = useQuery(ownPlaylistsQuery)
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      <div className={styles['head']}>
        <h1 className={styles['heading']}>Library</h1>
        <Button onClick={() => setCreating(true)}>
          <Icon of={Plus} />
          New playlist
        </Button>
      </div>
      {isPending && <VideoGridSkeleton count={4} />}
      {isError && !playlists && (
        <LoadFailure title="Your playlists could not be loaded" onRetry={() => void refetch()} />
      )}
      {playlists && <PlaylistCards playlists={playlists} />}
      {isCreating && (
        <Dialog
          title="New playlist"
          onClose={() => setCreating(false)}
          width={520}
          closesOnOutsideClick={false}
        >
          <PlaylistForm onCancel={() => setCreating(false)} onSaved={() => setCreating(false)} />
        </Dialog>
      )}
    </>
  )
}
