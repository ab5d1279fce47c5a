import { t } from '@lingui/core/macro'
import { Film } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { captureFrame } from './video-frame.ts'

/** Positions of the offered frames, as fractions of the duration. First and last frames are often black. */
const SHARES = [0.3, 0.55, 0.8, 0.15, 0.42, 0.68]

/** Offers a frame of the chosen video as its thumbnail, another one with each click. */
export function VideoFrameButton({
  video,
  className,
  disabled,
  onCapture,
}: {
  video: File
  className: string | undefined
  disabled: boolean
  onCapture: (still: File) => void
}) {
  const [captured, setCaptured] = useState(0)
  const [hasFailed, setHasFailed] = useState(false)

  async function capture() {
    try {
      onCapture(await captureFrame(video, SHARES[captured % SHARES.length] ?? 0.5))
      setCaptured(captured + 1)
    } catch {
      // The browser cannot decode the video. The message offers to choose an image.
      setHasFailed(true)
    }
  }

  // The browser cannot decode this video, so it offers no frame. The server may still accept it.
  if (hasFailed) return null
  return (
    <Button className={className} disabled={disabled} onClick={() => void capture()}>
      <Icon of={Film} />
      {captured === 0 ? t`Use a frame from the video` : t`Use another frame`}
    </Button>
  )
}
