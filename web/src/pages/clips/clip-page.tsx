import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ApiError } from '@kinora/contract/client.ts'
import { embedSize } from '@kinora/contract/videos/embed.ts'
import type { DetailedClip } from '@kinora/contract/watching/clips.ts'
import { useQuery } from '@tanstack/react-query'
import { Play, Share2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { trafficOfPage } from '../../features/videos/playback/reports/traffic-source.ts'
import { RemovalDialog } from '../../features/operations/administration/removal-dialog.tsx'
import { videoQuery } from '../../features/videos/videos/details/api.ts'
import { ShareAddress } from '../../features/videos/videos/details/share-address.tsx'
import { clipQuery } from '../../features/watching/clips/api.ts'
import { ClipActions } from '../../features/watching/clips/clip-actions.tsx'
import { formatAge } from '../../lib/format/age.ts'
import { formatDuration } from '../../lib/format/duration.ts'
import { previousPage } from '../../lib/browser/previous-page.ts'
import { paths } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QuerySection } from '../../ui/query-section.tsx'
import { ClipPlayer } from './clip-player.tsx'
import styles from './clip-page.module.css'

/** A clip: the part of its video, what it is called, who made it, and the way to the whole video. */
export function ClipPage() {
  const { clipId = '' } = useParams()
  const query = useQuery(clipQuery(clipId))
  const isGone = query.error instanceof ApiError && query.error.status === 404
  return (
    <div className={styles['page']}>
      {isGone ? (
        <MissingClip />
      ) : (
        <QuerySection
          query={query}
          failure={t`Could not load the clip`}
          skeleton={<Skeleton className={styles['player']} />}
        >
          {(clip) => <ClipView key={clip._id} clip={clip} />}
        </QuerySection>
      )}
    </div>
  )
}

/** Says the same for every reason: which one it is, is not for everybody. */
function MissingClip() {
  return (
    <>
      <PageTitle title={t`Clip not available`} />
      <EmptyState
        title={t`This clip isn’t available any more`}
        text={t`It was removed, or its video is not public or has been cut since.`}
      >
        <Link className={buttonClass('solid')} to={paths.home()}>{t`Go to the home page`}</Link>
      </EmptyState>
    </>
  )
}

function ClipView({ clip }: { clip: DetailedClip }) {
  const { title, startSeconds, endSeconds, createdAt, maker, video } = clip
  const { data } = useQuery(videoQuery(video._id))
  const navigate = useNavigate()
  const { authData } = useAuth()
  const [isSharing, setSharing] = useState(false)
  const [nowMs] = useState(() => Date.now())
  const [traffic] = useState(() =>
    trafficOfPage({
      previousPath: previousPage(),
      isInPlaylist: false,
      referrer: document.referrer,
      origin: location.origin,
    }),
  )
  return (
    <article className={styles['clip']}>
      <PageTitle title={title} />
      <ClipPlayer className={styles['player']} clip={clip} video={data} traffic={traffic} />
      <h1 className={styles['title']} dir="auto">
        {title}
      </h1>
      <div className={styles['row']}>
        <Link className={styles['maker']} to={paths.channel(maker.username)}>
          <Avatar src={maker.avatar} name={maker.fullname} size={40} />
          <span>
            <strong>{maker.fullname}</strong>
            <span>
              <Trans>
                made this clip · <time dateTime={createdAt}>{formatAge(createdAt, nowMs)}</time> ·{' '}
                {formatDuration(endSeconds - startSeconds)}
              </Trans>
            </span>
          </span>
        </Link>
        <div className={styles['actions']}>
          <Button onClick={() => setSharing(true)}>
            <Icon of={Share2} />
            {t`Share`}
          </Button>
          <ClipActions
            clip={clip}
            role={authData?.role}
            onRemoved={() => void navigate(paths.watch(video._id), { replace: true })}
            renderReasonDialog={(dialog) => (
              <RemovalDialog kind="clip" {...dialog}>
                {clip.title}
              </RemovalDialog>
            )}
          />
        </div>
      </div>
      <section className={styles['whole']} aria-label={t`The whole video`}>
        <div>
          <p>{t`From the video`}</p>
          <Link to={paths.watch(video._id)} dir="auto">
            {video.title}
          </Link>
          <p>
            <Link to={paths.channel(video.videoOwner.username)}>{video.videoOwner.fullname}</Link>
          </p>
        </div>
        <Link className={buttonClass('solid')} to={paths.watchFrom(video._id, startSeconds)}>
          <Icon of={Play} size={18} isFilled />
          {t`Watch from here`}
        </Link>
      </section>
      {isSharing && (
        <Dialog title={t`Share`} width={600} onClose={() => setSharing(false)}>
          <ShareAddress
            address={location.origin + paths.clip(clip._id)}
            frame={{ ...embedSize(video), source: location.origin + paths.clipEmbed(clip._id), title }}
            currentSeconds={() => 0}
          />
        </Dialog>
      )}
    </article>
  )
}
