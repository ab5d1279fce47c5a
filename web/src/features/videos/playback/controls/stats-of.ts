import type { PlaybackStats, StreamStats } from '../state/playback-stats.ts'

/** The technical values of an element and its stream now. */
export function statsOf(video: HTMLVideoElement, stream: StreamStats | undefined): PlaybackStats {
  const { droppedVideoFrames, totalVideoFrames } = video.getVideoPlaybackQuality()
  const frameSeconds = stream?.frameSeconds()
  return {
    videoWidth: video.videoWidth,
    videoHeight: video.videoHeight,
    framesPerSecond: frameSeconds && 1 / frameSeconds,
    playerWidth: video.clientWidth,
    playerHeight: video.clientHeight,
    pixelRatio: devicePixelRatio,
    codecs: stream?.codecs(),
    droppedFrames: droppedVideoFrames,
    totalFrames: totalVideoFrames,
    bufferedSeconds: bufferedAfter(video),
    bandwidthBps: stream?.bandwidthBps(),
    positionSeconds: video.currentTime,
  }
}

function bufferedAfter({ buffered, currentTime }: HTMLVideoElement): number {
  for (let index = 0; index < buffered.length; index += 1) {
    const isInside = buffered.start(index) <= currentTime && currentTime <= buffered.end(index)
    if (isInside) return buffered.end(index) - currentTime
  }
  return 0
}
