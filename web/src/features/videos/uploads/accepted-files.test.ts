import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { describe, expect, it } from 'vitest'
import { thumbnailError, videoError } from './accepted-files.ts'

const file = (name: string, type: string, content = '') => new File([content], name, { type })

describe('a video', () => {
  it.each(['video/mp4', 'video/webm', 'video/ogg', 'application/ogg'])(
    'may be %s, whatever its name',
    async (type) => {
      expect(await videoError(file('clip', type))).toBeUndefined()
    },
  )

  it.each(['clip.mp4', 'clip.WEBM', 'clip.ogg', 'clip.ogv'])(
    'is detected by its extension if no type is reported: %s',
    async (name) => {
      expect(await videoError(file(name, ''))).toBeUndefined()
    },
  )

  it.each([
    ['clip.mov', 'video/quicktime'],
    ['clip.mkv', 'video/x-matroska'],
    ['clip.mp4', 'text/plain'],
    ['notes.txt', ''],
    ['mp4', ''],
  ])('is not %s (%s)', async (name, type) => {
    expect(await videoError(file(name, type))).toBe('Invalid file type. Only MP4, WebM, and Ogg are allowed.')
  })

  it.each([
    ['clip.mov', 'video/quicktime'],
    ['CLIP.MOV', ''],
    ['song.mp3', 'audio/mpeg'],
  ])('may be %s (%s) if the site accepts its format', async (name, type) => {
    expect(await videoError(file(name, type), ['mp4', 'mov', 'mp3'])).toBeUndefined()
    expect(await videoError(file(name, type), ['mp4'])).toBe('Invalid file type. Only MP4 is allowed.')
  })

  it('is accepted if the browser reports audio but the file has a video track', async () => {
    expect(await videoError(file('clip.ogg', 'audio/ogg', 'OggS..\u0080theora'))).toBeUndefined()
    expect(await videoError(file('song.ogg', 'audio/ogg', 'OggS..\u0001vorbis'))).toBe(
      videoErrors.fileTypes.message,
    )
  })
})

describe('a thumbnail', () => {
  it.each([
    ['still.jpg', 'image/jpeg'],
    ['still', 'image/png'],
    ['still.JPEG', ''],
    ['still.png', ''],
    ['still.jpg', 'image/jpg'],
  ])('may be %s (%s)', (name, type) => {
    expect(thumbnailError(file(name, type))).toBeUndefined()
  })

  it.each([
    ['still.gif', 'image/gif'],
    ['still.webp', 'image/webp'],
    ['still.png', 'text/html'],
    ['still.svg', ''],
  ])('is not %s (%s)', (name, type) => {
    expect(thumbnailError(file(name, type))).toBe('Invalid file type. Only JPEG, PNG are allowed.')
  })
})
