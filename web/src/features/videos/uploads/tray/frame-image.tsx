import { useEffect, useRef } from 'react'

/** A picture that is still a file of this browser. */
export function FrameImage({ frame }: { frame: File }) {
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    if (!image.current) return
    const url = URL.createObjectURL(frame)
    image.current.src = url
    return () => URL.revokeObjectURL(url)
  }, [frame])
  return <img ref={image} alt="" />
}
