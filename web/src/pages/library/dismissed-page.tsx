import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import { restoreChannel, restoreVideo } from '@kinora/contract/watching/recommendations.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { type ReactNode, useMemo, useRef } from 'react'
import { Link } from 'react-router'
import { MembersOnly } from '../../features/accounts/sessions/guards.tsx'
import { dismissedQuery, dismissedVideosQuery } from '../../features/videos/videos/recommended/api.ts'
import { VideoCard } from '../../features/videos/videos/cards/video-card.tsx'
import { VideoRowsSkeleton } from '../../features/videos/videos/cards/video-grid.tsx'
import { useFocusAfterRemoval } from '../../lib/browser/use-focus-after-removal.ts'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { paths } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorBoundary } from '../../ui/feedback/error-boundary.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import styles from './library.module.css'

/** Dismissed videos and channels of the signed-in person. */
export function DismissedPage() {
  return (
    <MembersOnly skeleton={<VideoRowsSkeleton />}>
      <PageTitle title={t`Hidden recommendations`} />
      <Dismissed />
    </MembersOnly>
  )
}

function Dismissed() {
  const client = useQueryClient()
  const dismissed = useQuery(dismissedQuery)
  const videos = useQuery(dismissedVideosQuery)
  const restoring = useMutation({
    mutationFn: (restore: () => Promise<unknown>) => restore(),
    onSettled: () => client.invalidateQueries({ queryKey: dismissedQuery.queryKey }),
  })
  const channels = dismissed.data?.channels
  const list = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => [channels, videos.data], [channels, videos.data])
  const noteRemoval = useFocusAfterRemoval(list, `.${styles['dismissed']} > button`, rows)
  function restoreRow(pressed: Element, send: () => Promise<unknown>) {
    noteRemoval(pressed)
    restoring.mutate(send)
  }
  const isEmpty = channels?.length === 0 && videos.data?.length === 0
  return (
    <div ref={list} className={styles['list']} tabIndex={-1}>
      <h1 className={styles['heading']}>{t`Hidden recommendations`}</h1>
      {restoring.isError && <Alert>{failureMessage(restoring.error)}</Alert>}
      {(dismissed.isPending || videos.isPending) && <VideoRowsSkeleton />}
      {((dismissed.isError && !channels) || (videos.isError && !videos.data)) && (
        <LoadFailure
          title={t`Could not load the hidden recommendations`}
          onRetry={() => void client.refetchQueries({ queryKey: dismissedQuery.queryKey })}
        />
      )}
      {isEmpty && (
        <EmptyState
          title={t`Nothing here`}
          text={t`Videos and channels that you do not want to be recommended appear here. Only you can see them.`}
        />
      )}
      {channels && channels.length > 0 && (
        <section className={styles['section']} aria-labelledby="channels">
          <h2 id="channels">{t`Channels`}</h2>
          {channels.map(({ username, fullname, avatar }) => (
            <Row
              key={username}
              name={fullname}
              onRestore={(pressed) =>
                restoreRow(pressed, () => call(restoreChannel, { params: { username } }))
              }
            >
              <Link className={styles['channel']} to={paths.channel(username)}>
                <Avatar src={avatar} name={fullname} size={40} lazy />
                <bdi>{fullname}</bdi>
              </Link>
            </Row>
          ))}
        </section>
      )}
      {videos.data && videos.data.length > 0 && (
        <section className={styles['section']} aria-labelledby="videos">
          <h2 id="videos">{t`Videos`}</h2>
          {videos.data.map((video) => (
            <Row
              key={video._id}
              name={video.title}
              onRestore={(pressed) =>
                restoreRow(pressed, () => call(restoreVideo, { params: { videoId: video._id } }))
              }
            >
              <ErrorBoundary fallback={t`This video cannot be displayed.`}>
                <VideoCard video={video} variant="compact" heading="h3" />
              </ErrorBoundary>
            </Row>
          ))}
        </section>
      )}
    </div>
  )
}

function Row({
  name,
  onRestore,
  children,
}: {
  name: string
  onRestore: (pressed: Element) => void
  children: ReactNode
}) {
  return (
    <div className={styles['dismissed']}>
      {children}
      <Button
        aria-label={t`Recommend again: ${name}`}
        onClick={({ currentTarget }) => onRestore(currentTarget)}
      >
        <Icon of={Undo2} />
        {t`Recommend again`}
      </Button>
    </div>
  )
}
