// Uploads a video, comments on it and lists the own videos: `node upload.ts glacier.mp4`
// KINORA_SITE is the address of the site, KINORA_TOKEN an API token with the scopes read, upload and comment.
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { createKinora, formData } from '@kinora/client'
import { Upload } from 'tus-js-client'

const { KINORA_SITE: site = 'http://127.0.0.1:3000', KINORA_TOKEN: token } = process.env
const file = process.argv[2]
if (!file || !token) throw new Error('Set KINORA_TOKEN and name a file: node upload.ts glacier.mp4')

const kinora = createKinora({ site, token })

const id = await send(file, token)
const published = await kinora.POST('/uploads/{id}/publish', {
  params: { path: { id } },
  body: { title: basename(file), visibility: 'unlisted' },
  bodySerializer: formData,
})
if (published.error) throw new Error(published.error.message)
const video = published.data.data
console.log(`Published ${site}/video/${video._id}`)

const comment = await kinora.POST('/comment/add', {
  body: { videoId: video._id, content: 'Sent by a program' },
})
if (comment.error) throw new Error(comment.error.message)

const own = await kinora.GET('/studio/videos', { params: { query: { sort: 'newest' } } })
if (own.error) throw new Error(own.error.message)
for (const { title, views, visibility } of own.data.data.videos) console.log(title, visibility, views)

/** Sends a file by tus, in parts that are repeated when the connection is lost. Returns the id of the upload. */
function send(path: string, bearer: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const upload = new Upload(createReadStream(path), {
      endpoint: `${site}/api/v1/uploads`,
      headers: { authorization: `Bearer ${bearer}` },
      chunkSize: 32 * 1024 * 1024,
      retryDelays: [1000, 5000, 15_000],
      metadata: { filename: basename(path) },
      onSuccess: () => resolve(upload.url?.split('/').at(-1) ?? ''),
      onError: reject,
    })
    upload.start()
  })
}
