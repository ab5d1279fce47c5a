import { call } from '@kinora/contract/client.ts'
import { publishUpload, replaceFile } from '@kinora/contract/videos/uploads.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { discardUpload, forgetUpload, transferFile } from './transfer-file.ts'
import { publicationFormOf, type SendOptions, type SendUpload } from './upload-draft.ts'
import { isNotFound } from '../../../../lib/is-not-found.ts'

/** Sends the video in chunks, then publishes it. */
export const sendResumably: SendUpload = (draft, options) =>
  sendThen(draft.video, options, (id, signal) =>
    call(publishUpload, { params: { id }, body: publicationFormOf(draft), signal }),
  )

/** Sends a file in chunks, then makes it the file of an own video. */
export function sendReplacement(
  videoId: string,
  { file, keepsMetadata, channel }: { file: File; keepsMetadata: boolean; channel: string | undefined },
  options: SendOptions,
): Promise<Video> {
  return sendThen(file, { ...options, channel, replaces: videoId }, (uploadId, signal) =>
    call(replaceFile, { params: { id: videoId }, body: { uploadId, keepsMetadata }, signal }),
  )
}

/** Sends a file, then does `finish` with its upload. A cancelled upload is deleted; after other failures it is kept. */
async function sendThen(
  file: File,
  {
    signal,
    channel,
    replaces,
    onSent,
    onInterrupted,
  }: SendOptions & { channel?: string | undefined; replaces?: string },
  finish: (uploadId: string, signal: AbortSignal) => Promise<Video>,
): Promise<Video> {
  let uploadId: string | undefined
  try {
    uploadId = await transferFile(file, {
      signal,
      channel,
      replaces,
      onSent,
      onInterrupted,
      onCreated: (id) => {
        uploadId = id
      },
    })
    signal.throwIfAborted()
    const video = await finish(uploadId, signal)
    await forgetUpload(file, channel)
    return video
  } catch (error) {
    if (signal.aborted) await discardUpload(file, uploadId, channel)
    if (isNotFound(error)) await forgetUpload(file, channel)
    throw error
  }
}
