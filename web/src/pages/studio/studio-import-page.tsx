import { t } from '@lingui/core/macro'
import { FeedImports } from '../../features/portability/video-imports/feed-imports.tsx'
import { VideoImports } from '../../features/portability/video-imports/video-imports.tsx'
import { settings } from '../../lib/settings.ts'
import { ErrorPage } from '../error-page.tsx'
import { StudioFrame } from './studio-frame.tsx'

/** Imports videos from addresses and of feeds, where the site allows it. */
export function StudioImportPage() {
  if (!settings.importByAddress) return <ErrorPage />
  return (
    <StudioFrame title={t`Import`}>
      <VideoImports />
      <FeedImports />
    </StudioFrame>
  )
}
