export type Size = { width: number; height: number }
export type Rect = Size & { x: number; y: number }

/** Place of the camera in the picture: 0 to 1 of the free space from the left and the top, and its share of the width. */
export type CameraPlace = { x: number; y: number; scale: number }

export const usualPlace: CameraPlace = { x: 1, y: 1, scale: 0.22 }

export const fullHdSide = 1920
const scales = { smallest: 0.12, largest: 0.5 }
/** Distance of the camera to the edges, as a share of the width. */
const margin = 0.015
/** The camera is shown as wide as this; wider or taller pictures are cut. */
const cameraAspect = 4 / 3

const even = (length: number) => Math.max(2, Math.round(length / 2) * 2)
const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))

/** Size of a recording: that of its source, by default at most Full HD. Encoders need even lengths. */
export function pictureSize({ width, height }: Size, longestSide = fullHdSide): Size {
  const scale = Math.min(1, longestSide / Math.max(width, height, 1))
  return { width: even(width * scale), height: even(height * scale) }
}

/** Where a source stands as a whole within a picture, in its middle. */
export function contain(source: Size, picture: Size): Rect {
  const scale = Math.min(picture.width / source.width, picture.height / source.height)
  const [width, height] = [source.width * scale, source.height * scale]
  return { x: (picture.width - width) / 2, y: (picture.height - height) / 2, width, height }
}

/** The part of a source that fills an area of another shape. */
export function cover(source: Size, area: Size): Rect {
  const scale = Math.max(area.width / source.width, area.height / source.height)
  const [width, height] = [area.width / scale, area.height / scale]
  return { x: (source.width - width) / 2, y: (source.height - height) / 2, width, height }
}

/** Where the camera stands in a picture. */
export function cameraRect({ x, y, scale }: CameraPlace, picture: Size): Rect {
  const width = Math.min(picture.width * scale, picture.height * cameraAspect * 0.9)
  const height = width / cameraAspect
  const gap = picture.width * margin
  return {
    x: gap + x * (picture.width - width - 2 * gap),
    y: gap + y * (picture.height - height - 2 * gap),
    width,
    height,
  }
}

/** The place after a movement by a part of the picture's width and height. */
export function moveCamera(place: CameraPlace, by: { x: number; y: number }, picture: Size): CameraPlace {
  const { width, height } = cameraRect(place, picture)
  const gap = picture.width * margin
  return {
    ...place,
    x: within(place.x + (by.x * picture.width) / (picture.width - width - 2 * gap), 0, 1),
    y: within(place.y + (by.y * picture.height) / (picture.height - height - 2 * gap), 0, 1),
  }
}

export const resizeCamera = (place: CameraPlace, factor: number): CameraPlace => ({
  ...place,
  scale: within(place.scale * factor, scales.smallest, scales.largest),
})
