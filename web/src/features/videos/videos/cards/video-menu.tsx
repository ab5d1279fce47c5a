import type { Video } from '@kinora/contract/videos/videos.ts'
import { lazy, type ReactNode, Suspense, useRef } from 'react'
import { withMessages } from '../../../../lib/i18n/messages.ts'
import { MoreActions } from '../../../../ui/more-actions.tsx'

const SaveActions = lazy(async () => ({
  default: (await withMessages('watch', () => import('../details/save-actions.tsx'))).SaveActions,
}))

/** Menu of a video, for members: saving it, and the entries of its list or page in `children`. */
export function VideoMenu({
  video,
  describedBy,
  className,
  children,
}: {
  video: Pick<Video, '_id' | 'title'>
  /** Id of its title. */
  describedBy: string
  className?: string | undefined
  children: ReactNode
}) {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <MoreActions ref={button} describedBy={describedBy} className={className}>
      <Suspense>
        <SaveActions video={video} />
      </Suspense>
      {children}
    </MoreActions>
  )
}
