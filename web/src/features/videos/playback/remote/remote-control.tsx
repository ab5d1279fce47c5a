import { t } from '@lingui/core/macro'
import { type ComponentProps, useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Player } from '../state/player.ts'
import { chooseDevice, createRemoteVideo, followDevice, playFrom, watchDevices } from './remote-target.ts'
import styles from './remote-control.module.css'

/** Of Lucide (ISC). Imported, it would be in the script of every watch page. */
const castIcon = (
  <svg
    viewBox="0 0 24 24"
    width={22}
    height={22}
    fill="none"
    stroke="currentColor"
    strokeWidth={1.75}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d="M2 8V6a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-6M2 12a9 9 0 0 1 8 8M2 16a5 5 0 0 1 4 4M2 20h.01" />
  </svg>
)

const canPlayElsewhere = ['remote', 'webkitShowPlaybackTargetPicker'].some(
  (name) => name in HTMLVideoElement.prototype,
)

/** A button that plays the video on a device nearby, in browsers that find some. */
export function RemoteControl(props: ComponentProps<typeof DeviceControl>) {
  return canPlayElsewhere && <DeviceControl {...props} />
}

/**
 * A button that plays the video on a device nearby, shown while there is one. The device loads the stream by itself: over
 * the player lies the browser's own control of it, and playback continues here once the device leaves.
 */
function DeviceControl({
  streamUrl,
  player,
  className,
}: {
  streamUrl: string
  player: Player
  className?: string | undefined
}) {
  const button = useRef<HTMLButtonElement>(null)
  const [video] = useState(() => createRemoteVideo(streamUrl))
  const [isAvailable, setAvailable] = useState(false)
  /** Where the control of the device is shown; null without one. */
  const [region, setRegion] = useState<Element | null>(null)
  useEffect(() => {
    return watchDevices(video, setAvailable)
  }, [video])
  const connect = useEffectEvent(() => {
    const seconds = player.currentSeconds()
    // ends an intro, which the device does not play
    player.seekTo(seconds)
    player.pause()
    setRegion(button.current?.closest('section') ?? null)
    playFrom(video, seconds)
  })
  const disconnect = useEffectEvent(() => {
    if (!region) return
    video.pause()
    setRegion(null)
    player.seekTo(video.currentTime)
    player.play()
  })
  useEffect(() => {
    return followDevice(video, { onConnected: () => connect(), onDisconnected: () => disconnect() })
  }, [video])
  // The element stays loaded while a device plays it, and is gone with the page.
  useEffect(() => () => video.removeAttribute('src'), [video])
  return (
    <>
      {isAvailable && (
        <button
          ref={button}
          type="button"
          className={className}
          aria-label={t`Watch on another device`}
          aria-pressed={region !== null}
          title={t`Watch on another device`}
          onClick={() => void chooseDevice(video).catch(() => undefined)}
        >
          {castIcon}
        </button>
      )}
      {region &&
        createPortal(
          <div
            className={styles['remote']}
            role="group"
            aria-label={t`On another device`}
            ref={(element) => {
              element?.prepend(video)
            }}
          >
            <button type="button" className={styles['back']} onClick={disconnect}>
              {t`Continue here`}
            </button>
          </div>,
          region,
        )}
    </>
  )
}
