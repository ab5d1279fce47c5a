import { t } from '@lingui/core/macro'
import { parseResponse, urlOf } from '@kinora/contract/client.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { watchStalls } from '@kinora/contract/videos/transfer-stalls.ts'
import { uploadVideo } from '@kinora/contract/videos/uploads.ts'
import { publicationFormOf, type SendUpload, type UploadDraft } from './upload-draft.ts'

/** The server inspects a video before it responds, and may have others to inspect. */
const RESPONSE_MS = 10 * 60_000

/**
 * Sends the upload as one multipart request, and again when it makes no progress. Uses XMLHttpRequest, because fetch has no
 * upload progress. Rejects with ApiError for a rejected request, TypeError for a network failure, AbortError when aborted.
 */
export const sendInOneRequest: SendUpload = (draft, { signal, stallMs, onSent, onInterrupted }) =>
  new Promise<Video>((resolve, reject) => {
    const fail = () => reject(new TypeError('Connection lost'))
    const stop = () => reject(new DOMException(t`The upload was aborted`, 'AbortError'))
    if (signal.aborted) return stop()
    let request: XMLHttpRequest
    const send = () => {
      const sent = new XMLHttpRequest()
      request = sent
      sent.open(uploadVideo.method, urlOf(uploadVideo))
      sent.setRequestHeader('idempotency-key', keyOf(draft))
      sent.upload.addEventListener('progress', ({ loaded, total }) => {
        stalls.onSent(loaded)
        onSent(loaded, total)
      })
      // all is sent
      sent.upload.addEventListener('load', () => {
        stalls.stop()
        responseTimer = setTimeout(giveUp, RESPONSE_MS)
      })
      sent.addEventListener('load', () => {
        if (sent.status < 500) latest = undefined
        resolve(videoFrom(sent))
      })
      sent.addEventListener('error', fail)
      sent.addEventListener('loadend', () => sent === request && end())
      sent.send(multipart(draft))
    }
    const repeat = () => {
      const stalled = request
      onInterrupted?.()
      send()
      stalled.abort()
    }
    const giveUp = () => {
      fail()
      request.abort()
    }
    const stalls = watchStalls({ repeat, giveUp }, stallMs)
    let responseTimer: ReturnType<typeof setTimeout> | undefined
    const abort = () => {
      stop()
      request.abort()
    }
    const end = () => {
      stalls.stop()
      clearTimeout(responseTimer)
      signal.removeEventListener('abort', abort)
    }
    signal.addEventListener('abort', abort)
    send()
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
