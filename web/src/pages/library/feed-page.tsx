import { Navigate, useLocation } from 'react-router'
import { MembersOnly } from '../../features/accounts/sessions/guards.tsx'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { VideoRowsSkeleton } from '../../features/videos/videos/cards/video-grid.tsx'
import { paths } from '../../paths.ts'

/** Earlier address of the feed, which is below the subscriptions now. */
export function FeedPage() {
  const { authData } = useAuth()
  const { search } = useLocation()
  return (
    <MembersOnly skeleton={<VideoRowsSkeleton />}>
      {authData && <Navigate to={paths.subscribedTo(authData.username) + search} replace />}
    </MembersOnly>
  )
}
