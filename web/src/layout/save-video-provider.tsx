import type { Video } from '@kinora/contract/videos.ts'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useAuth } from '../features/sessions/use-auth.ts'
import { positionsQuery } from '../features/playback/position/api.ts'
import { ProgressContext } from '../features/videos/cards/progress-context.ts'
import { SaveVideoContext } from '../features/videos/cards/save-video-context.ts'

const SaveDialog = lazy(async () => ({
  default: (await import('../features/playlists/save-dialog.tsx')).SaveDialog,
}))

const none: ReadonlyMap<string, number> = new Map()

/** Gives the cards below their progress, and lets them open the dialog "Save to playlist". */
export function SaveVideoProvider({ children }: { children: ReactNode }) {
  const { authStatus } = useAuth()
  const { data: positions } = useQuery({ ...positionsQuery, enabled: authStatus === true })
  const [video, setVideo] = useState<Pick<Video, '_id' | 'title'> | null>(null)
  return (
    <SaveVideoContext value={authStatus ? setVideo : null}>
      <ProgressContext value={(authStatus && positions) || none}>{children}</ProgressContext>
      {authStatus && video && (
        <Suspense>
          <SaveDialog video={video} onClose={() => setVideo(null)} />
        </Suspense>
      )}
    </SaveVideoContext>
  )
}
