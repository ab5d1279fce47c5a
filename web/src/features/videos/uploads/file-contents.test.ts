import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { describe, expect, it } from 'vitest'
import { contentsError, damagedMessages } from './file-contents.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')

function box(type: string, content: Uint8Array = new Uint8Array(), sizeBytes = content.length + 8): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(sizeBytes)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, content])
}
const track = (handler: 'vide' | 'soun') => box('hdlr', latin1(`${'\0'.repeat(8)}${handler}`))
const index = (...tracks: Buffer[]) => box('moov', Buffer.concat(tracks))
const brand = box('ftyp', latin1('isom'))
const media = box('mdat', Buffer.alloc(200_000))
const file = (...parts: Uint8Array[]) => new File([Buffer.concat(parts)], 'clip')

describe('an MP4', () => {
  it('with a video track is accepted, wherever its index is', async () => {
    const tracks = index(track('soun'), track('vide'))
    expect(await contentsError(file(brand, tracks, media))).toBeUndefined()
    expect(await contentsError(file(brand, media, tracks))).toBeUndefined()
  })

  it('with only audio is rejected as a wrong type', async () => {
    expect(await contentsError(file(brand, index(track('soun')), media))).toBe(videoErrors.fileTypes.message)
  })

  it('truncated before its index is incomplete', async () => {
    expect(await contentsError(file(brand, media))).toBe(damagedMessages.incomplete)
    expect(await contentsError(file(brand, media.subarray(0, 1000)))).toBe(damagedMessages.incomplete)
    expect(await contentsError(file(brand, box('moov', track('vide'), 5000)))).toBe(
      damagedMessages.incomplete,
    )
  })

  it('truncated after the index is accepted, because the rest can be played', async () => {
    const cut = media.subarray(0, 1000)
    expect(await contentsError(file(brand, index(track('vide')), cut))).toBeUndefined()
  })

  it('with a box of an impossible size is accepted, for the server to judge', async () => {
    expect(await contentsError(file(brand, box('free', undefined, 3), media))).toBeUndefined()
  })

  it('with a 64-bit box before its index is parsed', async () => {
    const size = Buffer.alloc(8)
    size.writeBigUInt64BE(24n)
    const large = box('mdat', Buffer.concat([size, Buffer.alloc(8)]), 1)
    expect(await contentsError(file(brand, large, index(track('soun'))))).toBe(videoErrors.fileTypes.message)
  })
})

describe('a WebM', () => {
  const head = latin1('\x1a\x45\xdf\xa3 webm ')
  it('with a video codec is accepted', async () => {
    expect(await contentsError(file(head, latin1('A_OPUS V_VP9')))).toBeUndefined()
    expect(await contentsError(file(head))).toBeUndefined()
  })
  it('with only audio codecs is rejected as a wrong type', async () => {
    expect(await contentsError(file(head, latin1('A_OPUS')))).toBe(videoErrors.fileTypes.message)
  })
})

it('an Ogg file needs a video codec', async () => {
  expect(await contentsError(file(latin1('OggS\x80theora')))).toBeUndefined()
  expect(await contentsError(file(latin1('OggS\x01vorbis')))).toBe(videoErrors.fileTypes.message)
})

it('rejects other content as damaged or no video', async () => {
  expect(await contentsError(file(latin1('Dear diary')))).toBe(damagedMessages.notVideo)
  expect(await contentsError(file())).toBe(damagedMessages.empty)
})
