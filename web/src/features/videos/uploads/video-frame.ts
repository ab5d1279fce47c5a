const MAX_WIDTH = 1280
const JPEG_QUALITY = 0.9

/**
 * A still from a chosen video as a JPEG file, taken at a share of its length from 0 to 1. Rejects if this browser
 * cannot decode the video, although the server may accept it.
 */
export async function captureFrame(file: File, share: number): Promise<File> {
  const url = URL.createObjectURL(file)
  const video = document.createElement('video')
  try {
    video.muted = true
    video.preload = 'auto'
    video.src = url
    await until(video, 'loadeddata')
    const { duration, videoWidth, videoHeight } = video
    if (videoWidth === 0) throw new Error('There is no picture in this file')
    if (Number.isFinite(duration) && duration > 0) {
      video.currentTime = duration * share
      await until(video, 'seeked')
    }
    const canvas = document.createElement('canvas')
    canvas.width = Math.min(MAX_WIDTH, videoWidth)
    canvas.height = Math.round((videoHeight / videoWidth) * canvas.width)
    canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
    return await jpegOf(canvas)
  } finally {
    video.removeAttribute('src')
    video.load()
    URL.revokeObjectURL(url)
  }
}

function until(video: HTMLVideoElement, event: 'loadeddata' | 'seeked'): Promise<void> {
  return new Promise((resolve, reject) => {
    video.addEventListener(event, () => resolve(), { once: true })
    video.addEventListener('error', () => reject(new Error('This browser cannot show the video')), {
      once: true,
    })
  })
}

function jpegOf(canvas: HTMLCanvasElement): Promise<File> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) =>
        blob
          ? resolve(new File([blob], 'still.jpg', { type: 'image/jpeg' }))
          : reject(new Error('The still could not be encoded')),
      'image/jpeg',
      JPEG_QUALITY,
    )
  })
}
