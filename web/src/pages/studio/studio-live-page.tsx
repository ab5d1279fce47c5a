import { t } from '@lingui/core/macro'
import { GoLive } from '../../features/videos/live-streams/go-live.tsx'
import { settings } from '../../lib/settings.ts'
import { ErrorPage } from '../error-page.tsx'
import { StudioFrame } from './studio-frame.tsx'

/** Streams live from an encoder, where the site allows it. */
export function StudioLivePage() {
  if (!settings.live) return <ErrorPage />
  return (
    <StudioFrame title={t`Go live`}>
      <GoLive />
    </StudioFrame>
  )
}
