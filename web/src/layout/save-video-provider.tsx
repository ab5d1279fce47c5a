import { watchLaterId } from '@kinora/contract/watching/watch-later.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useAuth } from '../features/accounts/sessions/use-auth.ts'
import { useCardProgress } from '../features/videos/playback/position/use-card-progress.ts'
import { ProgressContext } from '../features/videos/videos/cards/progress-context.ts'
import { SavedForLaterContext, SaveVideoContext, WatchLaterContext } from '../lib/save-video-context.ts'
import { SensitiveContext } from '../lib/sensitive.ts'
import { withMessages } from '../lib/i18n/messages.ts'
import { savedForLaterKey } from '../lib/query-keys.ts'

const SaveDialog = lazy(async () => ({
  default: (await withMessages('pages', () => import('../features/watching/playlists/save-dialog.tsx')))
    .SaveDialog,
}))

const none: ReadonlyMap<string, string> = new Map()

/** Gives the cards below their progress and whether they are saved for later, and lets them save to Watch later and open the dialog "Save to playlist". */
export function SaveVideoProvider({ children }: { children: ReactNode }) {
  const { authStatus, authData } = useAuth()
  const progress = useCardProgress(authData?._id ?? null)
  const client = useQueryClient()
  const [saveForLater] = useState(() => async (videoId: string, entryId: string | undefined) => {
    const { savePlaylistChoice } = await import('../features/watching/playlists/api.ts')
    return savePlaylistChoice(client, { playlistId: watchLaterId, videoId, entryId })
  })
  const { data: saved = none } = useQuery({
    queryKey: savedForLaterKey,
    queryFn: async ({ signal }) =>
      (await import('../features/watching/playlists/api.ts')).loadSavedForLater(signal),
    enabled: authStatus === true,
    staleTime: Infinity,
  })
  const [video, setVideo] = useState<Pick<Video, '_id' | 'title'> | null>(null)
  return (
    <SaveVideoContext value={authStatus ? setVideo : null}>
      <WatchLaterContext value={authStatus ? saveForLater : null}>
        <SavedForLaterContext value={saved}>
          <ProgressContext value={progress}>
            <SensitiveContext value={authData}>{children}</SensitiveContext>
          </ProgressContext>
        </SavedForLaterContext>
      </WatchLaterContext>
      {authStatus && video && (
        <Suspense>
          <SaveDialog video={video} onClose={() => setVideo(null)} />
        </Suspense>
      )}
    </SaveVideoContext>
  )
}
