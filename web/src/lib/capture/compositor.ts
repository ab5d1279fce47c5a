import { sizeOf } from './devices.ts'
import {
  cameraRect,
  type CameraPlace,
  contain,
  cover,
  fullHdSide,
  pictureSize,
  type Size,
  usualPlace,
} from './picture-layout.ts'

export type PictureSource = 'screen' | 'camera'

/** Size of the picture before there is a source. */
export const emptySize: Size = { width: 1280, height: 720 }
/** Radius of the corners of the camera, as a share of its width. */
const cornerShare = 0.06

/** Draws the screen, and the camera within it or alone, on a canvas: what is recorded, and what its user sees. */
export class Compositor {
  readonly canvas = document.createElement('canvas')
  place: CameraPlace = usualPlace
  longestSide = fullHdSide
  readonly #context = this.canvas.getContext('2d', { alpha: false })
  readonly #videos = new Map<PictureSource, HTMLVideoElement>()
  readonly #onResize: (size: Size) => void
  /** The size cannot change any more. */
  #isFixed = false

  constructor(onResize: (size: Size) => void) {
    this.#onResize = onResize
    Object.assign(this.canvas, emptySize)
  }

  /** Replaces a source by a stream, or removes it. */
  async set(source: PictureSource, stream: MediaStream | undefined): Promise<void> {
    const before = this.#videos.get(source)
    this.#videos.delete(source)
    if (before) before.srcObject = null
    if (!stream) return
    const video = document.createElement('video')
    video.muted = true
    video.playsInline = true
    video.srcObject = stream
    this.#videos.set(source, video)
    // A source that was replaced meanwhile rejects.
    await video.play().catch(() => undefined)
  }

  has(source: PictureSource): boolean {
    return this.#videos.has(source)
  }

  /** Keeps the size of the picture from now on, as encoders need it. */
  fixSize(): void {
    this.draw()
    this.#isFixed = true
  }

  releaseSize(): void {
    this.#isFixed = false
  }

  draw(): void {
    const context = this.#context
    if (!context) return
    const [screen, camera] = [this.#shown('screen'), this.#shown('camera')]
    const main = screen ?? camera
    if (!this.#isFixed) this.#resize(main ? pictureSize(main.size, this.longestSide) : emptySize)
    const { canvas } = this
    context.fillStyle = 'black'
    context.fillRect(0, 0, canvas.width, canvas.height)
    if (!main) return
    const { x, y, width, height } = contain(main.size, canvas)
    context.drawImage(main.video, x, y, width, height)
    if (screen && camera) this.#drawCamera(context, camera)
  }

  #shown(source: PictureSource): { video: HTMLVideoElement; size: Size } | undefined {
    const video = this.#videos.get(source)
    const size = video && sizeOf(video)
    return size && { video, size }
  }

  #resize({ width, height }: Size): void {
    if (this.canvas.width === width && this.canvas.height === height) return
    Object.assign(this.canvas, { width, height })
    this.#onResize({ width, height })
  }

  #drawCamera(
    context: CanvasRenderingContext2D,
    { video, size }: { video: HTMLVideoElement; size: Size },
  ): void {
    const { x, y, width, height } = cameraRect(this.place, this.canvas)
    const part = cover(size, { width, height })
    context.save()
    context.beginPath()
    context.roundRect(x, y, width, height, width * cornerShare)
    context.clip()
    context.drawImage(video, part.x, part.y, part.width, part.height, x, y, width, height)
    context.restore()
  }
}
