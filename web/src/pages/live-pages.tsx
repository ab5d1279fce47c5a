import { t } from '@lingui/core/macro'
import { hasRole } from '@kinora/contract/accounts/roles.ts'
import { call } from '@kinora/contract/client.ts'
import type { LiveStream } from '@kinora/contract/live/live-streams.ts'
import { endLiveStream } from '@kinora/contract/operations/moderation.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAuth } from '../features/accounts/sessions/use-auth.ts'
import { EndStreamDialog } from '../features/operations/administration/end-stream-dialog.tsx'
import { NoticeBar } from '../features/operations/administration/notice-bar.tsx'
import { useActions } from '../features/operations/administration/use-actions.ts'
import { AllowedChannels } from '../features/live/live-streams/allowed-channels.tsx'
import { liveStreamsQuery } from '../features/live/live-streams/api.ts'
import { GoLive } from '../features/live/live-streams/go-live.tsx'
import { LiveStreamsTable } from '../features/live/live-streams/live-streams-table.tsx'
import { settings } from '../lib/settings.ts'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { Part } from '../ui/part.tsx'
import { QuerySection } from '../ui/query-section.tsx'
import { ErrorPage } from './error-page.tsx'
import { StudioFrame } from './studio/studio-frame.tsx'

/** Streams that run now, and who may stream. */
export function LivePage() {
  const { authData } = useAuth()
  const { act, notice } = useActions()
  const [ending, setEnding] = useState<LiveStream>()
  return (
    <>
      <PageTitle title={t`Live · Administration`} />
      <Part title={t`Live streams`} id="live-streams">
        <NoticeBar notice={notice} />
        <QuerySection
          query={useQuery(liveStreamsQuery)}
          failure={t`Could not load the live streams`}
          empty={<EmptyState title={t`Nobody is live`} text={t`Streams appear here while they run.`} />}
        >
          {(streams) => <LiveStreamsTable streams={streams} labelledBy="live-streams" onEnd={setEnding} />}
        </QuerySection>
      </Part>
      {ending && (
        <EndStreamDialog
          title={ending.title}
          onClose={() => setEnding(undefined)}
          onEnd={(reason) =>
            act({
              run: () =>
                call(endLiveStream, {
                  params: { id: ending.videoId },
                  query: reason === '' ? {} : { reason },
                }),
              done: t`The stream ends.`,
            })
          }
        />
      )}
      {authData && hasRole(authData.role, 'administrator') && (
        <Part
          title={t`Who may stream`}
          note={t`Accounts with the role that the setting LIVE_ROLE names, and these.`}
          isDivided
        >
          <AllowedChannels />
        </Part>
      )}
    </>
  )
}

/** Streams live from an encoder, where the site allows it. */
export function StudioLivePage() {
  if (!settings.live) return <ErrorPage />
  return (
    <StudioFrame title={t`Go live`}>
      <GoLive />
    </StudioFrame>
  )
}
