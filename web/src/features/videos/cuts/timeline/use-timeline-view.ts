import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { fitScale, limitScale, drawnRange } from './timeline-scale.ts'

/** Space at both ends of the timeline, for the handles of parts that begin or end there. */
export const EDGE_PIXELS = 24

/** The scale and the visible range of a timeline that scrolls sideways. */
export function useTimelineView(durationSeconds: number) {
  const scroller = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  /** Undefined while the whole video is shown. */
  const [chosenScale, setChosenScale] = useState<number>()
  const [page, setPage] = useState(0)
  /** The time that stays in place while the scale changes. */
  const anchor = useRef<{ seconds: number; pixels: number }>(undefined)
  const scale =
    chosenScale === undefined
      ? fitScale(durationSeconds, width)
      : limitScale(chosenScale, durationSeconds, width)

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => setWidth(Math.max(1, element.clientWidth - 2 * EDGE_PIXELS))
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [])

  useLayoutEffect(() => {
    if (!scroller.current || !anchor.current) return
    scroller.current.scrollLeft = anchor.current.seconds * scale + EDGE_PIXELS - anchor.current.pixels
    anchor.current = undefined
  }, [scale])

  function zoomTo(wanted: number, seconds: number) {
    const element = scroller.current
    if (!element) return
    const next = limitScale(wanted, durationSeconds, width)
    const pixels = seconds * scale + EDGE_PIXELS - element.scrollLeft
    const isVisible = pixels >= 0 && pixels <= element.clientWidth
    anchor.current = { seconds, pixels: isVisible ? pixels : element.clientWidth / 2 }
    setChosenScale(next <= fitScale(durationSeconds, width) ? undefined : next)
  }

  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    const element = scroller.current
    if (!element) return
    const pixels = event.clientX - element.getBoundingClientRect().left
    const seconds = (element.scrollLeft + pixels - EDGE_PIXELS) / scale
    zoomTo(scale * 2 ** (-event.deltaY / 200), seconds)
  })
  useEffect(() => {
    const element = scroller.current
    const handle = (event: WheelEvent) => onWheel(event)
    // the browser would zoom the page
    element?.addEventListener('wheel', handle, { passive: false })
    return () => element?.removeEventListener('wheel', handle)
  }, [])

  return {
    scroller,
    scale,
    isWhole: chosenScale === undefined,
    isLargest: limitScale(scale * 2, durationSeconds, width) <= scale,
    zoomTo,
    showWhole: () => setChosenScale(undefined),
    drawn: drawnRange(page * width, width, scale, durationSeconds),
    onScroll: () => setPage(Math.floor((scroller.current?.scrollLeft ?? 0) / Math.max(1, width))),
    /** Scrolls a time into view, with what comes after it. */
    reveal: (seconds: number) => {
      const element = scroller.current
      if (!element) return
      const pixels = seconds * scale + EDGE_PIXELS
      const { scrollLeft, clientWidth } = element
      if (pixels < scrollLeft || pixels > scrollLeft + clientWidth)
        element.scrollLeft = pixels - clientWidth * 0.15
    },
  }
}
