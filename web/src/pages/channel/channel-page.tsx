import { t } from '@lingui/core/macro'
import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query'
import { EyeOff, Flag } from 'lucide-react'
import { useContext, useRef } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import type { Channel } from '@kinora/contract/accounts/users.ts'
import { ChannelSummary } from '../../features/watching/channels/channel-summary.tsx'
import { authQuery, isSessionOver } from '../../features/accounts/sessions/api.ts'
import { MembersOnly } from '../../features/accounts/sessions/guards.tsx'
import { isSameUsername, useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { useOnRefused } from '../../features/accounts/sessions/use-on-refused.ts'
import { SubscribeButton } from '../../features/watching/subscriptions/subscribe-button.tsx'
import { useSubscriptionToggle } from '../../features/watching/subscriptions/use-subscription-toggle.ts'
import { channelQuery, patchChannel } from '../../features/accounts/users/api.ts'
import { ChannelHeader, ChannelHeaderSkeleton } from '../../features/accounts/users/channel-header.tsx'
import { ChannelTabs } from '../../features/accounts/users/channel-tabs.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { MuteContext } from '../../lib/mute-context.ts'
import { ReportContext } from '../../lib/report-context.ts'
import { failedPage } from '../../lib/failed-page.ts'
import { isNotFound } from '../../lib/is-not-found.ts'
import { paths } from '../../paths.ts'
import { Icon } from '../../ui/icon.tsx'
import { MoreActions } from '../../ui/more-actions.tsx'
import { ChannelPageSkeleton } from './channel-skeleton.tsx'

/** A channel, for members. */
export function ChannelPage() {
  return (
    <MembersOnly skeleton={<ChannelPageSkeleton />}>
      <ChannelView />
    </MembersOnly>
  )
}

/** Header, tabs and the open tab. Loading failures show the not-found page. */
function ChannelView() {
  const { authData, channelUsername } = useAuth()
  const username = channelUsername ?? ''
  const { data: channel, error } = useQuery(channelQuery(username))
  const location = useLocation()
  // A 401 waits for the session check. One that has ended the session leaves the redirect to MembersOnly, which may render later.
  const isChecking = useIsFetching({ queryKey: authQuery.queryKey }) > 0
  const isUndecided = isSessionOver(error) && (isChecking || !authData)
  if (error && (!channel || isNotFound(error)) && !isUndecided)
    return <Navigate to={paths.notFound()} replace state={failedPage(error, location)} />
  return (
    <>
      <PageTitle title={channel?.fullname} />
      {channel ? <Identity key={channel._id} channel={channel} /> : <ChannelHeaderSkeleton />}
      <ChannelTabs
        username={channel?.username ?? username}
        isOwn={isSameUsername(authData?.username, channelUsername)}
      />
      {/* Tabs request their data in parallel with the channel. */}
      <Outlet />
    </>
  )
}

function Identity({ channel }: { channel: Channel }) {
  const { authData } = useAuth()
  const client = useQueryClient()
  const { username } = channel
  const report = useContext(ReportContext)
  const mute = useContext(MuteContext)
  const menuButton = useRef<HTMLButtonElement>(null)
  const isOwn = isSameUsername(authData?.username, username)
  const subscription = useSubscriptionToggle({
    username,
    onFlip: () =>
      patchChannel(client, username, (shown) => ({
        ...shown,
        isSubscribed: !shown.isSubscribed,
        subscribersCount: shown.subscribersCount + (shown.isSubscribed ? -1 : 1),
      })),
    onResponse: ({ subbed, totalSub }) => {
      patchChannel(client, username, (shown) => ({
        ...shown,
        isSubscribed: subbed,
        subscribersCount: totalSub,
      }))
      // The header of the own channel shows the number of subscriptions.
      if (authData) void client.invalidateQueries(channelQuery(authData.username))
    },
    onRefused: useOnRefused(),
  })
  return (
    <ChannelHeader
      channel={channel}
      summary={<ChannelSummary username={username} fullname={channel.fullname} isOwn={isOwn} />}
    >
      <SubscribeButton
        isSubscribed={channel.isSubscribed}
        isOwn={isOwn}
        hasFailed={subscription.hasFailed}
        onToggle={subscription.toggle}
      />
      {mute && report && !isOwn && (
        <MoreActions ref={menuButton}>
          <button type="button" onClick={() => mute(username)}>
            <Icon of={EyeOff} size={18} />
            {t`Mute or block`}
          </button>
          <button type="button" onClick={() => report({ kind: 'channel', subjectId: channel._id })}>
            <Icon of={Flag} size={18} />
            {t`Report`}
          </button>
        </MoreActions>
      )}
    </ChannelHeader>
  )
}
