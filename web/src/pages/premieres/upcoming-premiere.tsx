import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { call } from '@kinora/contract/client.ts'
import { announcedMinutesBefore } from '@kinora/contract/constants.ts'
import { pictureSrcSet } from '@kinora/contract/pictures.ts'
import { getVideo, type DetailedVideo } from '@kinora/contract/videos/videos.ts'
import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Flag, Share2 } from 'lucide-react'
import { type ReactNode, useContext, useEffect, useEffectEvent, useRef } from 'react'
import { Link, Outlet } from 'react-router'
import { nextLookMs, premiereQuery, type TimedPremiere } from '../../features/live/premieres/api.ts'
import { PlayerMessage } from '../../features/live/live-streams/player-message.tsx'
import { Countdown, useSecondsLeft } from '../../features/live/premieres/countdown.tsx'
import { ReminderButton } from '../../features/live/premieres/reminder-button.tsx'
import { overPage } from '../../lib/browser/use-close-modal.ts'
import { formatMoment } from '../../lib/format/moment.ts'
import { ReportContext } from '../../lib/report-context.ts'
import { useCover } from '../../lib/sensitive.ts'
import { paths } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import covered from '../../ui/covered.module.css'
import { Icon } from '../../ui/icon.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import styles from './upcoming-premiere.module.css'

/** How often the page looks whether the premiere was moved. */
export const checkMs = 30_000
/** From when on a stream may begin. */
const streamSeconds = announcedMinutesBefore * 60

/** The watch page of a premiere or a stream before it begins: its poster, the countdown, a reminder. */
export function UpcomingPremiere({
  premiere: announced,
  onBegin,
  onPreview,
  viewerId,
  requireSession,
  children,
}: {
  premiere: TimedPremiere
  /** Called with the video once everybody may watch it. */
  onBegin: (video: DetailedVideo) => void
  /** Opens the player, for people who may see the video already. */
  onPreview: (() => void) | undefined
  viewerId: string | undefined
  requireSession: (act: () => void) => void
  /** Beside the countdown. */
  children?: ReactNode
}) {
  const { data: premiere = announced } = useQuery({
    ...premiereQuery(announced._id),
    refetchInterval: checkMs,
  })
  const { _id: videoId, title, videoOwner: owner, startsAt } = premiere
  useBeginning(premiere, onBegin)
  const [isCovered] = useCover(premiere)
  const report = useContext(ReportContext)
  const noPlayer = useRef(null)
  return (
    <div className={clsx(styles['page'], children !== undefined && styles['with-panel'])}>
      <PageTitle title={title} />
      <section className={styles['stage']} aria-label={t`Countdown`}>
        <img
          className={clsx(isCovered && covered['covered'])}
          src={premiere.thumbnail}
          srcSet={pictureSrcSet(premiere.thumbnail, 'thumbnail')}
          sizes="(min-width: 1024px) 70vw, 100vw"
          alt=""
        />
        <div className={styles['over']}>
          <p className={styles['mark']}>{premiere.isStream ? t`Live stream` : t`Premiere`}</p>
          <Countdown premiere={premiere} />
          <p>
            <time dateTime={startsAt}>{formatMoment(startsAt)}</time>
          </p>
        </div>
      </section>
      {children !== undefined && <div className={styles['panel']}>{children}</div>}
      <div className={styles['info']}>
        <h1 dir="auto">{title}</h1>
        <div className={styles['row']}>
          <Owner premiere={premiere} />
          <div className={styles['actions']}>
            {report && premiere.isStream && owner._id !== viewerId && (
              <Button onClick={() => report({ kind: 'video', subjectId: videoId })}>
                <Icon of={Flag} />
                {t`Report`}
              </Button>
            )}
            <ReminderButton
              videoId={videoId}
              isReminded={premiere.isReminded}
              requireSession={requireSession}
            />
            <Link
              className={buttonClass('quiet')}
              to={paths.share(videoId)}
              state={overPage}
              preventScrollReset
            >
              <Icon of={Share2} />
              {t`Share`}
            </Link>
          </div>
        </div>
        <p className={styles['hint']}>
          {premiere.isStream ? (
            <Trans>
              The stream is announced for <time dateTime={startsAt}>{formatMoment(startsAt)}</time>, in your
              time zone. It may begin a little earlier or later. This page shows it automatically.
            </Trans>
          ) : (
            <Trans>
              Everybody watches it together from <time dateTime={startsAt}>{formatMoment(startsAt)}</time> on,
              in your time zone. This page starts the video automatically.
            </Trans>
          )}
        </p>
        {premiere.isStream && owner._id === viewerId && (
          <div className={styles['own']}>
            <p>{t`It is your stream: begin it with your encoder or your browser.`}</p>
            <Link className={buttonClass('solid')} to={paths.studioLive()}>{t`Go live`}</Link>
          </div>
        )}
        {onPreview && (
          <p className={styles['hint']}>
            {t`You can watch it already, because it is your video or you were named.`}{' '}
            <Button onClick={onPreview}>{t`Preview`}</Button>
          </p>
        )}
      </div>
      <Outlet context={noPlayer} />
    </div>
  )
}

/** In place of a countdown that was open when the premiere or the stream was cancelled, or hidden from the viewer. */
export function WithdrawnPremiere({ premiere }: { premiere: TimedPremiere }) {
  return (
    <div className={styles['page']}>
      <PageTitle title={premiere.title} />
      <PlayerMessage
        className={styles['stage']}
        title={t`The announcement was withdrawn.`}
        text={t`Nothing begins here at the announced time.`}
      />
      <div className={styles['info']}>
        <h1 dir="auto">{premiere.title}</h1>
        <div className={styles['row']}>
          <Owner premiere={premiere} />
        </div>
      </div>
    </div>
  )
}

function Owner({ premiere: { videoOwner: owner } }: { premiere: TimedPremiere }) {
  return (
    <Link className={styles['owner']} to={paths.channel(owner.username)}>
      <Avatar src={owner.avatar} name={owner.fullname} size={48} />
      <strong dir="auto">{owner.fullname}</strong>
    </Link>
  )
}

/** Calls `onBegin` with the video as soon as the site has published it. */
export function useBeginning(premiere: TimedPremiere, onBegin: (video: DetailedVideo) => void) {
  const isStream = premiere.isStream === true
  const isDue = useSecondsLeft(premiere) <= (isStream ? streamSeconds : 0)
  const { data: video } = useQuery({
    queryKey: ['premieres', premiere._id, 'video'],
    queryFn: async ({ signal }) => {
      const [found] = await call(getVideo, { params: { id: premiere._id }, signal })
      // its owner sees it before
      if (!found || found.visibility === 'scheduled') throw new Error('The premiere has not begun')
      return found
    },
    enabled: isDue,
    retry: true,
    retryDelay: () => nextLookMs(premiere),
    gcTime: 0,
  })
  const begin = useEffectEvent(onBegin)
  useEffect(() => {
    if (video) begin(video)
  }, [video])
}
