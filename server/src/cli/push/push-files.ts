import { openAsBlob } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { ApiError, call, type CallInput } from '@kinora/contract/client.ts'
import type { Endpoint, ResultOf } from '@kinora/contract/endpoint.ts'
import { formatDetails } from '@kinora/contract/videos/format-details.ts'
import { changeOwnVideo } from '@kinora/contract/videos/studio.ts'
import { defaultSettings } from '@kinora/contract/settings.ts'
import { announceUpload, publishUpload, type UploadVisibility } from '@kinora/contract/videos/uploads.ts'
import type { z } from 'zod'
import { parseInput } from '@kinora/platform/http/routing/parse-input.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'
import type { Result } from '../command.ts'
import { printProgress } from '../output.ts'
import { PushState } from './push-state.ts'
import { sendFile } from './send-file.ts'
import { progressLine } from './progress-line.ts'

export interface PushOptions {
  /** Origin of the site. */
  site: string
  token: string
  title?: string
  description?: string
  tags?: string[]
  category?: string
  visibility?: z.infer<typeof UploadVisibility>
  thumbnail?: string
  /** Directory of the file that remembers uploads. */
  state?: string
  again: boolean
}

interface Pushed {
  file: string
  id?: string
  url?: string
  error?: string
}

const videoExtensions = new Set(Object.values(formatDetails).flatMap(({ extensions }) => extensions))

/** The given files, and the videos of given folders by name. Throws StartupError for a name without a file or video. */
export async function listVideoFiles(names: readonly string[]): Promise<string[]> {
  const lists = await Promise.all(
    names.map(async (name) => {
      const entry = await stat(name).catch(() => {
        throw new StartupError(`There is no file ${name}.`)
      })
      if (!entry.isDirectory()) return [name]
      const inside = await readdir(name, { withFileTypes: true })
      const videos = inside
        .filter((each) => each.isFile() && videoExtensions.has(path.extname(each.name).toLowerCase()))
        .map((each) => path.join(name, each.name))
      if (videos.length === 0) throw new StartupError(`There is no video in the folder ${name}.`)
      return videos.sort()
    }),
  )
  return [...new Set(lists.flat())]
}

/**
 * Uploads and publishes files, one after the other. A file that fails does not stop the others. Throws StartupError if the
 * site cannot be reached or rejects the token.
 */
export async function pushFiles(files: readonly string[], options: PushOptions): Promise<Result> {
  const site = createSite(options)
  // rejects tags before the bytes are sent, in the words of the server
  const changes = parseInput(
    changeOwnVideo.body,
    { tags: options.tags, category: options.category },
    defaultSettings,
  )
  await site.call(announceUpload, {}).catch((error: unknown) => {
    throw new StartupError(sentenceOf(error, options))
  })
  const stop = exitWhenInterrupted()
  const results: Pushed[] = []
  for (const file of files) {
    const result = await pushFile(file, options, site, changes).catch((error: unknown): Pushed => ({
      file,
      error: sentenceOf(error, options),
    }))
    results.push(result)
    if (result.error) console.error(`${file}: ${result.error}`)
  }
  stop()
  const published = results.filter(({ error }) => error === undefined)
  const lines = published.map(({ file, url }) => `${file}: ${url}`)
  const failed = results.length - published.length
  if (failed > 0) lines.push(`${failed} of ${results.length} files could not be published.`)
  return { text: lines.join('\n'), value: results, isBad: failed > 0 }
}

type Site = ReturnType<typeof createSite>

function createSite({ site, token }: PushOptions) {
  const authorization = `Bearer ${token}`
  return {
    headers: { authorization },
    call: <E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<ResultOf<E>> =>
      call(endpoint, input, (address, init) => {
        const sent = new Headers(init.headers)
        sent.set('authorization', authorization)
        return fetch(site + address, { ...init, headers: sent })
      }),
  }
}

async function pushFile(
  file: string,
  options: PushOptions,
  site: Site,
  changes: z.output<typeof changeOwnVideo.body>,
): Promise<Pushed> {
  const state = new PushState(options.state)
  const { size, mtimeMs } = await stat(file)
  const key = [options.site, await realpath(file), size, mtimeMs].join(' ')
  const before = await state.get(key)
  if (before.videoId !== undefined && !options.again) return pushed(file, before.videoId, options)
  const name = path.basename(file)
  const progress = printProgress()
  const line = progressLine(name)
  const uploadUrl = await sendFile(file, {
    site: options.site,
    headers: site.headers,
    uploadUrl: before.uploadUrl,
    onCreated: (created) => state.set(key, { uploadUrl: created }),
    onSent: (sent, total) => progress(line(sent, total)),
    onInterrupted: () => progress(`${name}: the connection was lost, trying again ...`),
  }).finally(() => progress.done())
  progress(`${name}: publishing ...`)
  const id = uploadUrl.split('/').at(-1) ?? ''
  const video = await site
    .call(publishUpload, { params: { id }, body: await formOf(file, options) })
    .finally(() => progress.done())
  await state.set(key, { videoId: video._id })
  if (changes.tags ?? changes.category)
    await site.call(changeOwnVideo, { params: { id: video._id }, body: changes })
  return pushed(file, video._id, options)
}

const pushed = (file: string, id: string, { site }: PushOptions): Pushed => ({
  file,
  id,
  url: `${site}/video/${id}`,
})

async function formOf(
  file: string,
  { title, description, visibility, thumbnail }: PushOptions,
): Promise<FormData> {
  const form = new FormData()
  form.set('title', title ?? path.basename(file, path.extname(file)))
  form.set('description', description ?? '')
  if (visibility) form.set('visibility', visibility)
  if (thumbnail) form.set('thumbnail', await openAsBlob(thumbnail), path.basename(thumbnail))
  return form
}

/** Message about an error, with advice. */
function sentenceOf(error: unknown, { site }: PushOptions): string {
  if (error instanceof ApiError) {
    if (error.message) return error.message
    return error.status === 404 || error.status < 400
      ? `There is no Kinora at ${site}. Check --site.`
      : `The site answered with status ${error.status}. Run the command again later.`
  }
  if (error instanceof TypeError)
    return `${site} cannot be reached. Check --site and the network, then run the command again to continue.`
  return error instanceof Error ? error.message : String(error)
}

/** Ends the process with 130 on Ctrl-C; the server keeps what it received. Returns a function that takes it back. */
function exitWhenInterrupted(): () => void {
  const exit = () => {
    console.error('\nInterrupted. Run the same command again to continue.')
    process.exit(130)
  }
  process.once('SIGINT', exit)
  process.once('SIGTERM', exit)
  return () => {
    process.off('SIGINT', exit)
    process.off('SIGTERM', exit)
  }
}
