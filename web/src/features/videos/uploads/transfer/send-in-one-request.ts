import { t } from '@lingui/core/macro'
import { parseResponse, urlOf } from '@kinora/contract/client.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { uploadVideo } from '@kinora/contract/videos/uploads.ts'
import { publicationFormOf, type SendUpload, type UploadDraft } from './upload-draft.ts'

/**
 * Sends the upload as one multipart request. Uses XMLHttpRequest, because fetch has no upload progress.
 * Rejects with ApiError for a rejected request, TypeError for a network failure, AbortError when aborted.
 */
export const sendInOneRequest: SendUpload = (draft, { signal, onSent }) =>
  new Promise<Video>((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    const fail = () => reject(new TypeError('Connection lost'))
    const stop = () => reject(new DOMException(t`The upload was aborted`, 'AbortError'))
    if (signal.aborted) return stop()
    request.open(uploadVideo.method, urlOf(uploadVideo))
    request.setRequestHeader('idempotency-key', keyOf(draft))
    request.upload.addEventListener('progress', ({ loaded, total }) => onSent(loaded, total))
    request.addEventListener('load', () => {
      if (request.status < 500) latest = undefined
      resolve(videoFrom(request))
    })
    request.addEventListener('error', fail)
    request.addEventListener('abort', stop)
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort))
    signal.addEventListener('abort', abort)
    request.send(multipart(draft))
  })

let latest: { draft: UploadDraft; key: string } | undefined

/** The key of a draft: the same while its sender repeats it, so that the server publishes it once. */
function keyOf(draft: UploadDraft): string {
  const isRepeated =
    latest &&
    Object.entries(latest.draft).every(([name, value]) => draft[name as keyof UploadDraft] === value)
  // `crypto.randomUUID` exists on https only
  if (!latest || !isRepeated) latest = { draft, key: crypto.getRandomValues(new Uint32Array(4)).join('-') }
  return latest.key
}

async function videoFrom(request: XMLHttpRequest): Promise<Video> {
  const { data } = await parseResponse(new Response(request.responseText, { status: request.status }))
  // The server parses every result against the endpoint's schema on its way out.
  return data as Video
}

function multipart(draft: UploadDraft): FormData {
  const form = publicationFormOf(draft)
  form.append('video', draft.video)
  return form
}
