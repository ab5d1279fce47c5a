import { useQuery } from '@tanstack/react-query'
import { type PointerEvent, useState } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { spreadFrames, type StoryboardFrame } from '../../lib/storyboard.ts'
import { storyboardQuery } from './api.ts'
import styles from './crank.module.css'

const ZONES = 6

type Hover = { zone: number; width: number; height: number }

/** What moving the pointer across a thumbnail shows: one of a few frames, chosen by the viewer's hand. */
export function useCrank(storyboardUrl: string | null) {
  const [hover, setHover] = useState<Hover>()
  const storyboard = useQuery({
    ...storyboardQuery(storyboardUrl ?? ''),
    enabled: storyboardUrl !== null && hover !== undefined,
  })
  const frames = spreadFrames(storyboard.data ?? [], ZONES)
  const follow = (event: PointerEvent<HTMLElement>) => {
    if (event.pointerType !== 'mouse' || storyboardUrl === null) return
    const { left, width, height } = event.currentTarget.getBoundingClientRect()
    const share = Math.min(0.999, Math.max(0, (event.clientX - left) / width))
    const zone = Math.floor(share * ZONES)
    if (zone !== hover?.zone || width !== hover.width) setHover({ zone, width, height })
  }
  return {
    handlers: { onPointerEnter: follow, onPointerMove: follow, onPointerLeave: () => setHover(undefined) },
    reel: hover && frames.length > 0 ? <Reel frames={frames} hover={hover} /> : null,
  }
}

function Reel({ frames, hover }: { frames: StoryboardFrame[]; hover: Hover }) {
  const current = Math.min(frames.length - 1, Math.floor((hover.zone / ZONES) * frames.length))
  const frame = frames[current]
  return (
    <span className={styles['reel']} aria-hidden="true">
      {frame && <span className={styles['frame']} style={frameStyle(frame, hover)} />}
      {frames.map((each, index) => (
        <i key={each.startSeconds} className={classNames(index === current && styles['current'])} />
      ))}
    </span>
  )
}

/** Scales one rectangle of the sheet so that it covers the thumbnail. */
function frameStyle(frame: StoryboardFrame, box: { width: number; height: number }) {
  const scale = Math.max(box.width / frame.width, box.height / frame.height)
  return {
    width: frame.width,
    height: frame.height,
    backgroundImage: `url("${frame.sheetUrl.replaceAll('"', '%22')}")`,
    backgroundPosition: `${-frame.x}px ${-frame.y}px`,
    transform: `translate(-50%, -50%) scale(${scale})`,
  }
}
