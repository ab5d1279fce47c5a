import type { User } from '@kinora/contract/users.ts'
import type { Video } from '@kinora/contract/videos.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Navigate, useParams } from 'react-router'
import { useAuth } from '../features/auth/use-auth.ts'
import { ownVideoQuery } from '../features/dashboard/api.ts'
import { failureMessage } from '../lib/failure-message.ts'
import { paths } from '../paths.ts'

/** A modal about the own video of the address. Where there is none such, the dashboard says so and nothing opens. */
export function OwnVideo({ children }: { children: (video: Video) => ReactNode }) {
  const { authData } = useAuth()
  return authData && <OwnVideoOf owner={authData}>{children}</OwnVideoOf>
}

function OwnVideoOf({ owner, children }: { owner: User; children: (video: Video) => ReactNode }) {
  const { videoId = '' } = useParams()
  const { data: video, error } = useQuery(ownVideoQuery(useQueryClient(), owner, videoId))
  if (video) return children(video)
  if (video === undefined && !error) return null
  const failure = error ? failureMessage(error) : 'This video is not among yours.'
  return <Navigate to={paths.dashboard(owner.username)} replace state={{ failure }} />
}
