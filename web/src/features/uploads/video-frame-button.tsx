import { Film } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { takeStill } from './video-frame.ts'

/** Where stills are taken, one press after the other: neither the first frame nor the last is ever a good one. */
const SHARES = [0.3, 0.55, 0.8, 0.15, 0.42, 0.68]

/** Offers a frame of the chosen video as its thumbnail; another one with each press. */
export function StillButton({
  video,
  className,
  disabled,
  onTake,
}: {
  video: File
  className: string | undefined
  disabled: boolean
  onTake: (still: File) => void
}) {
  const [taken, setTaken] = useState(0)
  const [isUnable, setIsUnable] = useState(false)

  async function take() {
    try {
      onTake(await takeStill(video, SHARES[taken % SHARES.length] ?? 0.5))
      setTaken(taken + 1)
    } catch {
      setIsUnable(true)
    }
  }

  // What this browser cannot show may well be published; it just cannot help with a still.
  if (isUnable) return null
  return (
    <Button className={className} disabled={disabled} onClick={() => void take()}>
      <Icon of={Film} />
      {taken === 0 ? 'Use a frame of the video' : 'Use another frame'}
    </Button>
  )
}
