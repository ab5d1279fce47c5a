import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useMatch } from 'react-router'
import { useAuth } from '../features/accounts/sessions/use-auth.ts'
import { MiniPlayerContext, type MiniVideo } from '../features/videos/playback/mini/mini-player-context.ts'
import { withMessages } from '../lib/i18n/messages.ts'

const MiniPlayer = lazy(async () => ({
  default: (await withMessages('watch', () => import('../features/videos/playback/mini/mini-player.tsx')))
    .MiniPlayer,
}))

/**
 * Shows the video that continues on other pages. The page of a video has its own player, which replaces this one. The
 * video of an account stops when that account signs out: it may be one that others may not watch.
 */
export function MiniPlayerProvider({ children }: { children: ReactNode }) {
  const { authStatus, authData } = useAuth()
  const userId = authData?._id ?? null
  const [playing, setPlaying] = useState<{ video: MiniVideo; ofUser: string | null } | null>(null)
  const isWatching = useMatch('/video/:videoId/*') !== null
  const isOver = playing !== null && (isWatching || (playing.ofUser !== null && playing.ofUser !== userId))
  if (isOver) setPlaying(null)
  return (
    <MiniPlayerContext value={(video) => setPlaying({ video, ofUser: userId })}>
      {children}
      {playing && !isOver && (
        <Suspense>
          <MiniPlayer
            video={playing.video}
            userId={authStatus === null ? undefined : userId}
            onClose={() => setPlaying(null)}
          />
        </Suspense>
      )}
    </MiniPlayerContext>
  )
}
