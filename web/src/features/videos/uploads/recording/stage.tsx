import { t } from '@lingui/core/macro'
import { clsx } from 'clsx'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef } from 'react'
import { cameraRect, moveCamera, resizeCamera } from '../../../../lib/capture/picture-layout.ts'
import type { Recorder } from '../../../../lib/capture/recorder.ts'
import styles from './stage.module.css'
import { useRecorderState } from './use-recording-session.ts'

/** The picture as it is recorded, with `children` while there is none. The camera within a screen can be moved. */
export function Stage({
  recorder,
  countdown = 0,
  children,
}: {
  recorder: Recorder
  /** Seconds until it begins. */
  countdown?: number
  children: ReactNode
}) {
  const { screen, camera, size } = useRecorderState(recorder)
  const picture = useRef<HTMLDivElement>(null)
  useEffect(() => {
    picture.current?.append(recorder.canvas)
    return () => recorder.canvas.remove()
  }, [recorder])
  const isEmpty = !screen && !camera
  return (
    <div className={styles['stage']} style={{ '--aspect': size.width / size.height }}>
      <div ref={picture} className={clsx(styles['picture'], isEmpty && styles['empty'])} aria-hidden="true" />
      {isEmpty && children && <div className={styles['invitation']}>{children}</div>}
      {screen && camera && <CameraHandle recorder={recorder} />}
      {countdown > 0 && (
        <span key={countdown} className={styles['countdown']} aria-hidden="true">
          {countdown}
        </span>
      )}
    </div>
  )
}

const step = 0.04
const keys: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -step, y: 0 },
  ArrowRight: { x: step, y: 0 },
  ArrowUp: { x: 0, y: -step },
  ArrowDown: { x: 0, y: step },
}
const factors: Record<string, number> = { '+': 1.15, '=': 1.15, '-': 1 / 1.15 }

function CameraHandle({ recorder }: { recorder: Recorder }) {
  const { canvas } = recorder
  const { cameraPlace: place } = useRecorderState(recorder)
  const { x, y, width, height } = cameraRect(place, canvas)
  const dragged = useRef<{ x: number; y: number } | undefined>(undefined)
  const share = (length: number, of: number) => `${((length / of) * 100).toFixed(3)}%`

  function drag(event: PointerEvent<HTMLButtonElement>) {
    const before = dragged.current
    const area = canvas.getBoundingClientRect()
    if (!before || area.width === 0) return
    const by = { x: (event.clientX - before.x) / area.width, y: (event.clientY - before.y) / area.height }
    dragged.current = { x: event.clientX, y: event.clientY }
    recorder.placeCamera(moveCamera(recorder.state().cameraPlace, by, canvas))
  }

  function press(event: KeyboardEvent) {
    const [by, factor] = [keys[event.key], factors[event.key]]
    if (event.ctrlKey || event.metaKey || event.altKey || (!by && factor === undefined)) return
    event.preventDefault()
    recorder.placeCamera(by ? moveCamera(place, by, canvas) : resizeCamera(place, factor ?? 1))
  }

  return (
    <button
      type="button"
      className={styles['handle']}
      aria-label={t`Camera in the picture: arrow keys move it, plus and minus resize it`}
      style={{
        left: share(x, canvas.width),
        top: share(y, canvas.height),
        width: share(width, canvas.width),
        height: share(height, canvas.height),
      }}
      onKeyDown={press}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        dragged.current = { x: event.clientX, y: event.clientY }
      }}
      onPointerMove={drag}
      onPointerUp={() => (dragged.current = undefined)}
      onPointerCancel={() => (dragged.current = undefined)}
    />
  )
}
