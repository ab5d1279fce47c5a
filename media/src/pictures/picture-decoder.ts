import { readFile } from 'node:fs/promises'
import { type PictureKind, pictureWidths } from '@kinora/contract/pictures.ts'
import sharp from 'sharp'
import { serveRequests } from '@kinora/platform/sandbox/preforked-process.ts'
import type { PictureResponse, PictureRefusal, PictureRequest, PictureSize } from './encode-picture.ts'
import { MalformedPicture, stripMetadata, TooManyScans } from './strip-metadata.ts'

// No SVG, PDF or TIFF, whatever the file claims to be.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadPng',
    'VipsForeignLoadWebp',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadHeif',
  ],
})
// the other cores are for requests
sharp.concurrency(1)
sharp.cache(false)

let pictures = 0

serveRequests(respond)

async function respond(request: PictureRequest): Promise<PictureResponse> {
  pictures += 1
  const outcome = await encode(request).then((sizes) => ({ sizes }), explain)
  return { outcome, memoryBytes: process.resourceUsage().maxRSS * 1024, pictures }
}

function explain(error: unknown): { refused: PictureRefusal } | { error: string } {
  if (error instanceof TooManyScans) return { refused: 'too_many_scans' }
  if (error instanceof MalformedPicture) return { refused: 'no_picture' }
  const message = error instanceof Error ? error.message : String(error)
  // errors of the file system are no fault of the picture
  if (error instanceof Error && 'syscall' in error) return { error: message }
  // the last is what libheif says
  if (/out of memory|cannot allocate|memory allocation error/i.test(message)) return { refused: 'too_costly' }
  return { refused: message.includes('pixel limit') ? 'too_many_pixels' : 'no_picture' }
}

async function encode({ file, kind, formats, maxMegapixels }: PictureRequest): Promise<PictureSize[]> {
  const bytes = stripMetadata(await readFile(file))
  const largest = Math.max(...pictureWidths[kind])
  const source = sharp(bytes, { limitInputPixels: maxMegapixels * 1e6, failOn: 'truncated', pages: 1 })
  const { format } = await source.metadata()
  if (!formats.includes(format)) throw new MalformedPicture(`${format} is not accepted`)
  // transparent stills would look different on every background; only avatars may be transparent
  const shown = kind === 'avatar' ? source : source.flatten({ background: 'white' })
  // decoded once at the largest size, from which the others are scaled
  const { data, info } = await shown
    .autoOrient()
    .resize({ ...boundsOf(kind, largest), ...fitOf(kind) })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const sizes = []
  for (const width of pictureWidths[kind]) {
    const sized = sharp(data, { raw }).resize({ ...boundsOf(kind, width), ...fitOf(kind) })
    sizes.push({
      width,
      webp: await sized.clone().webp({ quality: 80 }).toBuffer(),
      jpg: await sized.clone().flatten({ background: 'white' }).jpeg({ quality: 82 }).toBuffer(),
    })
  }
  return sizes
}

/** Avatars are square. Other kinds keep their aspect ratio, up to twice as tall as wide. */
function boundsOf(kind: PictureKind, width: number): { width: number; height: number } {
  return { width, height: kind === 'avatar' ? width : 2 * width }
}

const fitOf = (kind: PictureKind) =>
  ({ fit: kind === 'avatar' ? 'cover' : 'inside', withoutEnlargement: true }) as const
