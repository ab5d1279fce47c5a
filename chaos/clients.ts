import { setTimeout as delay } from 'node:timers/promises'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import type { Random } from '../server/src/demo/random.ts'
import { encode, TestClient } from '../server/src/testing/fixtures/test-client.ts'
import { drawPicture, registrationForm, testPassword } from '../server/src/testing/fixtures/test-users.ts'
import type { Certainty, Ledger, VideoFact } from './ledger.ts'

/** Longer than the longest stall and SEGMENT_WAIT_SECONDS. */
const timeoutMs = 25_000

interface ClientResponse {
  status: number
  data: Record<string, unknown>
}

/** A client that performs actions sequentially and records what the site confirmed. */
export class ChaosUser {
  readonly name: string
  readonly #client: TestClient
  readonly #ledger: Ledger
  readonly #random: Random
  readonly #clips: readonly Buffer[]
  #count = 0
  #isOver = () => false

  constructor(name: string, origin: string, ledger: Ledger, random: Random, clips: readonly Buffer[]) {
    this.name = name
    this.#client = new TestClient(origin)
    this.#ledger = ledger
    this.#random = random
    this.#clips = clips
  }

  async signUp(): Promise<void> {
    await this.#client.post('/api/v1/users/register', await registrationForm({ username: this.name }))
    await this.signIn()
  }

  async signIn(): Promise<void> {
    const body = { username: this.name, password: testPassword }
    const { status, text } = await this.#client.post('/api/v1/users/login', body)
    if (status !== 200) throw new Error(`${this.name} could not sign in: ${status} ${text}`)
  }

  /** Acts until stopped. */
  async live(isOver: () => boolean, pauseMs: number): Promise<void> {
    this.#isOver = isOver
    const habits: [number, () => Promise<void>][] = [
      [6, () => this.#upload()],
      [4, () => this.#uploadInPieces()],
      [3, () => this.#giveUpUpload()],
      [4, () => this.#deleteVideo()],
      [18, () => this.#comment()],
      [6, () => this.#uncomment()],
      [14, () => this.#likeVideo()],
      [8, () => this.#likeComment()],
      [8, () => this.#subscribe()],
      [22, () => this.#watch()],
      [14, () => this.#view()],
    ]
    const total = habits.reduce((sum, [weight]) => sum + weight, 0)
    while (!isOver()) {
      let at = this.#random.below(total)
      const [, act] = habits.find(([weight]) => (at -= weight) < 0) ?? habits[0] ?? []
      await act?.()
      await delay(this.#random.below(pauseMs))
    }
  }

  /** Returns undefined if the outcome is unknown: no response, or a 5xx. */
  async #request(method: string, path: string, body?: object): Promise<ClientResponse | undefined> {
    try {
      const signal = AbortSignal.timeout(timeoutMs)
      const response = await this.#client.fetch(path, { method, signal, ...encode(body) })
      const text = await response.text()
      this.#ledger.count(`${method} ${response.status}`)
      if (response.status >= 500 || isPutOff(response.status)) return undefined
      if (response.status === 401) this.#violate(`${method} ${path} forgot that ${this.name} is signed in`)
      const isJson = response.headers.get('content-type')?.includes('json') ?? false
      return { status: response.status, data: isJson && text ? (JSON.parse(text).data ?? {}) : {} }
    } catch {
      this.#ledger.count(`${method} without response`)
      return undefined
    }
  }

  #violate(sentence: string): void {
    this.#ledger.violations.push(sentence)
  }

  /** Picks an existing video, which may be deleted at any time. */
  #someVideo(): VideoFact | undefined {
    const videos = this.#ledger.sureVideos()
    return videos[this.#random.below(videos.length)]
  }

  async #form(title: string, video?: Buffer): Promise<FormData> {
    const form = new FormData()
    form.set('title', title)
    form.set('description', 'Made for the test of failures')
    form.set('thumbnail', await drawPicture(320, 180), 'thumbnail.png')
    if (video) form.set('video', new Blob([new Uint8Array(video)]), 'video')
    return form
  }

  #newTitle(): string {
    this.#count += 1
    return `${this.name} video ${this.#count}`
  }

  #someClip(): Buffer {
    return this.#random.pick(this.#clips)
  }

  #notePublished(response: ClientResponse | undefined, title: string, clip: Buffer): void {
    if (!response) return void this.#ledger.doubtfulTitles.add(title)
    if (response.status !== 201)
      return this.#violate(`upload of ${title} was refused with ${response.status}`)
    const id = String(response.data['_id'])
    this.#ledger.videos.set(id, {
      id,
      owner: this.name,
      title,
      sizeBytes: clip.length,
      existence: 'yes',
      views: { sure: 0, maybe: 0 },
    })
  }

  async #upload(): Promise<void> {
    const [title, clip] = [this.#newTitle(), this.#someClip()]
    this.#notePublished(
      await this.#request('POST', '/api/v1/video/upload', await this.#form(title, clip)),
      title,
      clip,
    )
  }

  /** Closes the connection at a random byte of an upload. */
  async #giveUpUpload(): Promise<void> {
    const title = this.#newTitle()
    this.#ledger.doubtfulTitles.add(title)
    const body = await this.#form(title, this.#someClip())
    const signal = AbortSignal.timeout(5 + this.#random.below(300))
    const response = await this.#client
      .fetch('/api/v1/video/upload', { method: 'POST', body, signal })
      .catch(() => undefined)
    await response?.text().catch(() => undefined)
  }

  /** Sends a resumable upload in a few chunks and asks for the offset after each failure. */
  async #uploadInPieces(): Promise<void> {
    const [title, clip] = [this.#newTitle(), this.#someClip()]
    const tus = { 'tus-resumable': '1.0.0' }
    const begun = await this.#begin(clip.length, tus)
    if (!begun) return
    let offset = 0
    let harmedAt = Date.now()
    while (offset < clip.length) {
      // repeated faults may interrupt every chunk
      if (!this.#isOver()) harmedAt = Date.now()
      if (Date.now() - harmedAt > 120_000) return this.#violate(`upload of ${title} cannot be ended`)
      const piece = clip.subarray(offset, offset + Math.ceil(clip.length / 3))
      const sent = await this.#patch(begun, piece, { ...tus, 'upload-offset': String(offset) })
      if (sent !== undefined && sent < offset) return this.#violate(`upload of ${title} fell back to ${sent}`)
      const known = sent ?? (await this.#offsetOf(begun, tus))
      if (known === 'gone') return this.#violate(`upload of ${title} is gone at ${offset} of ${clip.length}`)
      if (known === undefined || known === offset) await delay(200)
      else if (known < offset)
        return this.#violate(`upload of ${title} has lost bytes: ${known} of ${offset}`)
      else offset = known
    }
    for (let tries = 0; tries < 60; tries += 1) {
      const response = await this.#request('POST', `${begun}/publish`, await this.#form(title))
      // publishing is idempotent
      if (response) return this.#notePublished(response, title, clip)
      await delay(500)
    }
    this.#ledger.doubtfulTitles.add(title)
  }

  async #begin(length: number, tus: Record<string, string>): Promise<string | undefined> {
    const response = await this.#client
      .fetch('/api/v1/uploads', {
        method: 'POST',
        headers: { ...tus, 'upload-length': String(length) },
        signal: AbortSignal.timeout(timeoutMs),
      })
      .catch(() => undefined)
    await response?.arrayBuffer().catch(() => undefined)
    const location = response?.headers.get('location')
    return response?.status === 201 && location
      ? new URL(location, 'http://site/api/v1/').pathname
      : undefined
  }

  async #patch(path: string, piece: Buffer, tus: Record<string, string>): Promise<number | undefined> {
    const response = await this.#client
      .fetch(path, {
        method: 'PATCH',
        headers: { ...tus, 'content-type': 'application/offset+octet-stream' },
        body: new Uint8Array(piece),
        signal: AbortSignal.timeout(timeoutMs),
      })
      .catch(() => undefined)
    await response?.arrayBuffer().catch(() => undefined)
    return response?.status === 204 ? Number(response.headers.get('upload-offset')) : undefined
  }

  async #offsetOf(path: string, tus: Record<string, string>): Promise<number | 'gone' | undefined> {
    const response = await this.#client
      .fetch(path, { method: 'HEAD', headers: tus, signal: AbortSignal.timeout(timeoutMs) })
      .catch(() => undefined)
    if (response?.status === 404 || response?.status === 410) return 'gone'
    return response?.ok ? Number(response.headers.get('upload-offset')) : undefined
  }

  async #deleteVideo(): Promise<void> {
    const own = this.#ledger.sureVideos().filter(({ owner }) => owner === this.name)
    // a site without videos is a dull one
    if (own.length < 3) return
    const video = own[this.#random.below(own.length)]
    if (!video) return
    video.existence = 'maybe'
    const response = await this.#request('DELETE', `/api/v1/video/${video.id}`)
    if (!response) return
    if (response.status === 200) video.existence = 'no'
    else this.#violate(`deleting ${video.title} was refused with ${response.status}`)
  }

  async #comment(): Promise<void> {
    const video = this.#someVideo()
    if (!video) return
    this.#count += 1
    const content = `${this.name} says ${this.#count}`
    const response = await this.#request('POST', '/api/v1/comment/add', { videoId: video.id, content })
    if (!response) return void this.#ledger.doubtfulComments.add(content)
    if (response.status === 201) {
      const id = String(response.data['_id'])
      this.#ledger.comments.set(id, { id, videoId: video.id, content, existence: 'yes' })
    } else this.#expectGone(video, `a comment got ${response.status}`)
  }

  async #uncomment(): Promise<void> {
    const own = this.#ledger.sureComments().filter(({ content }) => content.startsWith(`${this.name} says`))
    const comment = own[this.#random.below(own.length)]
    if (!comment) return
    comment.existence = 'maybe'
    const response = await this.#request('DELETE', `/api/v1/comment/delete/${comment.videoId}/${comment.id}`)
    if (response?.status === 200) comment.existence = 'no'
    else if (response)
      this.#expectGone(this.#ledger.videos.get(comment.videoId), `deleting a comment got ${response.status}`)
  }

  async #likeVideo(): Promise<void> {
    const video = this.#someVideo()
    if (!video) return
    const path = `/api/v1/likes/video/toggle/${video.id}`
    await this.#toggle(this.#ledger.videoLikes, `${this.name}|${video.id}`, path, 'liked', video)
  }

  async #likeComment(): Promise<void> {
    const comments = this.#ledger.sureComments()
    const comment = comments[this.#random.below(comments.length)]
    if (!comment) return
    const path = `/api/v1/likes/comment/toggle/${comment.id}`
    await this.#toggle(this.#ledger.commentLikes, `${this.name}|${comment.id}`, path, 'liked', undefined)
  }

  async #subscribe(): Promise<void> {
    const channel = this.#someVideo()?.owner
    if (!channel || channel === this.name) return
    const key = `${this.name}|${channel}`
    await this.#toggle(this.#ledger.subscriptions, key, `/api/v1/sub/channel/${channel}`, 'subbed', undefined)
  }

  /** After a lost response an earlier request may still be running, so the pair is no longer used. */
  async #toggle(
    facts: Map<string, Certainty>,
    key: string,
    path: string,
    field: 'liked' | 'subbed',
    video: VideoFact | undefined,
  ): Promise<void> {
    const known = facts.get(key)
    if (known === 'maybe') return
    const response = await this.#request('POST', path)
    if (!response) return void facts.set(key, 'maybe')
    if (response.status !== 200)
      return video ? this.#expectGone(video, `${path} got ${response.status}`) : undefined
    const isOn = response.data[field] === true
    if (isOn === (known === 'yes')) this.#violate(`${path} returned ${isOn} for ${key}, which was ${known}`)
    facts.set(key, isOn ? 'yes' : 'no')
  }

  async #view(): Promise<void> {
    const video = this.#someVideo()
    if (!video) return
    const response = await this.#request('PATCH', `/api/v1/video/${video.id}`)
    if (!response) video.views.maybe += 1
    else if (response.status === 200) video.views.sure += 1
    else this.#expectGone(video, `a view got ${response.status}`)
  }

  /** A response with status 200 is complete, even during faults. */
  async #watch(): Promise<void> {
    const video = this.#someVideo()
    if (!video) return
    const base = `/media/videos/${video.id}/`
    const master = await this.#bytes(`${base}master.m3u8`, video)
    if (!master) return
    const lists = String(master).match(/^[\w/]+\.m3u8$/gm) ?? []
    const list = lists[this.#random.below(lists.length)]
    const playlist = list && (await this.#bytes(base + list, video))
    if (!playlist) return
    const parts = String(playlist).match(/[\w]+\.(m4s|mp4)/g) ?? []
    const part = parts[this.#random.below(parts.length)]
    if (!part) return this.#violate(`the playlist ${list} of ${video.title} names no segment`)
    const segment = await this.#bytes(base + list.replace(/[^/]+$/, part), video)
    if (segment && !isWholeMp4(segment)) this.#violate(`${part} of ${list} of ${video.title} is not whole`)
  }

  async #bytes(path: string, video: VideoFact): Promise<Buffer | undefined> {
    try {
      const response = await this.#client.fetch(path, { signal: AbortSignal.timeout(timeoutMs) })
      const bytes = Buffer.from(await response.arrayBuffer())
      this.#ledger.count(`media ${response.status}`)
      if (response.ok) return bytes
      // faults killed both attempts to encode it, so that it is refused for minutes
      if (bytes.includes(`"${videoErrors.partCannotBeRead.reason}"`)) return undefined
      if (response.status < 500) this.#expectGone(video, `${path} got ${response.status}`)
    } catch {
      this.#ledger.count('media without response')
    }
    return undefined
  }

  #expectGone(video: VideoFact | undefined, sentence: string): void {
    if (video?.existence === 'yes') this.#violate(`${video.title} is there, but ${sentence}`)
  }
}

/** Generous, because a busy machine may stall a request. */
const isPutOff = (status: number) => status === 408 || status === 429

/** Whether bytes are MP4 boxes from the first to the last. */
export function isWholeMp4(bytes: Buffer): boolean {
  let at = 0
  while (at + 8 <= bytes.length) {
    const size = bytes.readUInt32BE(at)
    if (size < 8) return false
    at += size
  }
  return at === bytes.length && at > 0
}
