import { ApiError, call } from '@kinora/contract/client.ts'
import { publishUpload } from '@kinora/contract/calls.ts'
import { discardUpload, forgetUpload, transferFile } from './transfer-file.ts'
import { publicationFormOf, type SendUpload } from './upload-draft.ts'

/** Sends the video in chunks, then publishes it. A cancelled upload is deleted; after other failures it is kept. */
export const sendResumably: SendUpload = async (draft, { signal, onSent, onInterrupted }) => {
  let uploadId: string | undefined
  try {
    uploadId = await transferFile(draft.video, {
      signal,
      onSent,
      onInterrupted,
      onCreated: (id) => {
        uploadId = id
      },
    })
    signal.throwIfAborted()
    const video = await call(publishUpload, {
      params: { id: uploadId },
      body: publicationFormOf(draft),
      signal,
    })
    await forgetUpload(draft.video)
    return video
  } catch (error) {
    if (signal.aborted) await discardUpload(draft.video, uploadId)
    if (error instanceof ApiError && error.status === 404) await forgetUpload(draft.video)
    throw error
  }
}
