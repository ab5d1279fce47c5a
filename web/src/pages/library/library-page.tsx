import { t } from '@lingui/core/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Ban, History, Plus, Scissors } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { MembersOnly } from '../../features/accounts/sessions/guards.tsx'
import { historyQuery } from '../../features/watching/history/api.ts'
import { ownPlaylistsQuery } from '../../features/watching/playlists/api.ts'
import { PlaylistCards } from '../../features/watching/playlists/playlist-cards.tsx'
import { PlaylistForm } from '../../features/watching/playlists/playlist-form.tsx'
import { VideoGrid, VideoGridSkeleton } from '../../features/videos/videos/cards/video-grid.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { paths } from '../../paths.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { Icon } from '../../ui/icon.tsx'
import styles from './library.module.css'

/** The playlists of the person who is signed in. */
export function LibraryPage() {
  return (
    <MembersOnly skeleton={<VideoGridSkeleton count={4} />}>
      <PageTitle title={t`Library`} />
      <Library />
    </MembersOnly>
  )
}

const continued = 8

/** The videos last stopped half way. */
function ContinueWatching() {
  const { data } = useInfiniteQuery(historyQuery({ unfinished: 'true', limit: continued }))
  const entries = data?.pages[0]?.items ?? []
  if (entries.length === 0) return null
  return (
    <section className={styles['section']} aria-labelledby="continue">
      <h2 id="continue">{t`Continue watching`}</h2>
      <div className={styles['row']}>
        <VideoGrid videos={entries.map(({ video }) => video)} heading="h3" />
      </div>
    </section>
  )
}

function Library() {
  const { data: playlists, isPending, isError, refetch } = useQuery(ownPlaylistsQuery)
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      <div className={styles['head']}>
        <h1 className={styles['heading']}>{t`Library`}</h1>
        <div className={styles['buttons']}>
          <Link className={buttonClass()} to={paths.completeHistory()}>
            <Icon of={History} />
            {t`Complete history`}
          </Link>
          <Link className={buttonClass()} to={paths.ownClips()}>
            <Icon of={Scissors} />
            {t`Your clips`}
          </Link>
          <Link className={buttonClass()} to={paths.dismissed()}>
            <Icon of={Ban} />
            {t`Hidden recommendations`}
          </Link>
          <Button onClick={() => setCreating(true)}>
            <Icon of={Plus} />
            {t`New playlist`}
          </Button>
        </div>
      </div>
      <ContinueWatching />
      {isPending && <VideoGridSkeleton count={4} />}
      {isError && !playlists && (
        <LoadFailure title={t`Your playlists could not be loaded`} onRetry={() => void refetch()} />
      )}
      {playlists && (
        <section className={styles['section']} aria-labelledby="playlists">
          <h2 id="playlists">{t`Playlists`}</h2>
          <PlaylistCards playlists={playlists} />
        </section>
      )}
      {isCreating && (
        <Dialog
          title={t`New playlist`}
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
