import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useMatch } from 'react-router'
import { useAuth } from '../features/sessions/use-auth.ts'
import { MiniPlayerContext, type MiniVideo } from '../features/playback/mini/mini-player-context.ts'

const MiniPlayer = lazy(async () => ({
  default: (await import('../features/playback/mini/mini-player.tsx')).MiniPlayer,
}))

/** Shows the video that continues on other pages. The page of a video has its own player, which replaces this one. */
export function MiniPlayerProvider({ children }: { children: ReactNode }) {
  const { authStatus } = useAuth()
  const [video, setVideo] = useState<MiniVideo | null>(null)
  const isWatching = useMatch('/video/:videoId/*') !== null
  if (isWatching && video) setVideo(null)
  return (
    <MiniPlayerContext value={setVideo}>
      {children}
      {video && !isWatching && (
        <Suspense>
          <MiniPlayer video={video} isSignedIn={authStatus === true} onClose={() => setVideo(null)} />
        </Suspense>
      )}
    </MiniPlayerContext>
  )
}
