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
 * video of an account stops when that account signs out, because the next one may not be allowed to watch it.
 */
export function MiniPlayerProvider({ children }: { children: ReactNode }) {
  const { authStatus, authData } = useAuth()
  const userId = authData?._id ?? null
  const [current, setCurrent] = useState<{ video: MiniVideo; startedBy: string | null } | null>(null)
  const isWatching = useMatch('/video/:videoId/*') !== null
  const mustStop =
    current !== null && (isWatching || (current.startedBy !== null && current.startedBy !== userId))
  if (mustStop) setCurrent(null)
  return (
    <MiniPlayerContext value={(video) => setCurrent({ video, startedBy: userId })}>
      {children}
      {current && !mustStop && (
        <Suspense>
          <MiniPlayer
            video={current.video}
            userId={authStatus === null ? undefined : userId}
            onClose={() => setCurrent(null)}
          />
        </Suspense>
      )}
    </MiniPlayerContext>
  )
}
