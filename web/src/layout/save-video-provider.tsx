import type { Video } from '@kinora/contract/videos.ts'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useAuth } from '../features/auth/use-auth.ts'
import { SaveVideoContext } from '../features/videos/save-video-context.ts'

const SaveDialog = lazy(async () => ({
  default: (await import('../features/playlists/save-dialog.tsx')).SaveDialog,
}))

/** Lets every card below open the dialog "Save to playlist". */
export function SaveVideoProvider({ children }: { children: ReactNode }) {
  const { authStatus } = useAuth()
  const [video, setVideo] = useState<Pick<Video, '_id' | 'title'> | null>(null)
  return (
    <SaveVideoContext value={authStatus ? setVideo : null}>
      {children}
      {authStatus && video && (
        <Suspense>
          <SaveDialog video={video} onClose={() => setVideo(null)} />
        </Suspense>
      )}
    </SaveVideoContext>
  )
}
