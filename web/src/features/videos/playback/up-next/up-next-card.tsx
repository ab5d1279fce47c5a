import { t } from '@lingui/core/macro'
import { pictureInWidth } from '@kinora/contract/pictures.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { Play, RotateCcw } from 'lucide-react'
import { useDeferredValue, useEffect, useEffectEvent, useId, useState } from 'react'
import { Link, type To } from 'react-router'
import { clsx } from 'clsx'
import { useCover } from '../../../../lib/sensitive.ts'
import covered from '../../../../ui/covered.module.css'
import { Icon } from '../../../../ui/icon.tsx'
import { VisuallyHidden } from '../../../../ui/text/visually-hidden.tsx'
import { useCountdown } from './use-countdown.ts'
import styles from './up-next-card.module.css'

const COUNTDOWN_SECONDS = 5

/**
 * The video that follows, shown at the end of one. Where it `opensItself`, after a countdown that can be stopped; else it
 * waits beside the offer to play the same one again.
 */
export function UpNextCard({
  video,
  to,
  state,
  opensItself,
  onOpen,
  onReplay,
}: {
  video: Video
  /** Address of the video, and the history state with which `onOpen` opens it. */
  to: To
  state?: unknown
  opensItself: boolean
  onOpen: () => void
  onReplay: () => void
}) {
  const [isStopped, setStopped] = useState(false)
  const [isCovered] = useCover(video)
  const left = useCountdown(COUNTDOWN_SECONDS, opensItself && !isStopped, onOpen)
  const titleId = useId()
  useEscape(() => setStopped(opensItself))
  // Empty at first, because screen readers report changes of a live region only.
  const announcement = useDeferredValue(
    opensItself
      ? t`Up next: “${video.title}”. Starts in ${COUNTDOWN_SECONDS} seconds. Press Escape to stay here.`
      : t`Up next: “${video.title}”.`,
    '',
  )
  return (
    <>
      <VisuallyHidden as="div">
        <span role="status">{isStopped ? '' : announcement}</span>
      </VisuallyHidden>
      {!isStopped && (
        <section className={styles['card']} aria-label={t`Up next`}>
          <img
            className={clsx(isCovered && covered['covered'])}
            src={pictureInWidth(video.thumbnail, 320)}
            width={320}
            height={180}
            alt=""
          />
          <div className={styles['text']}>
            <p className={styles['when']} aria-hidden="true">
              {opensItself ? t`Up next in ${left}` : t`Up next`}
            </p>
            <p className={styles['title']} id={titleId} dir="auto">
              {video.title}
            </p>
            <p className={styles['owner']} dir="auto">
              {video.videoOwner.fullname}
            </p>
          </div>
          <div className={styles['actions']}>
            <Link className={styles['open']} to={to} state={state} aria-describedby={titleId}>
              <Icon of={Play} size={16} isFilled />
              {opensItself ? t`Play now` : t`Next`}
            </Link>
            {opensItself ? (
              <button type="button" onClick={() => setStopped(true)}>{t`Stay here`}</button>
            ) : (
              <button type="button" onClick={onReplay}>
                <Icon of={RotateCcw} size={16} />
                {t`Replay`}
              </button>
            )}
          </div>
          {opensItself && (
            <i
              className={styles['bar']}
              style={{ scale: `${1 - left / COUNTDOWN_SECONDS} 1` }}
              aria-hidden="true"
            />
          )}
        </section>
      )}
    </>
  )
}

/** Escape on the whole page, because the card does not take the focus. */
function useEscape(act: () => void) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]')) act()
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
