import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { copyFile, link, mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import type { Context } from '../context/context.ts'
import { recountWords } from '../features/watching/search/queries/vocabulary.ts'
import { storeThumbnail } from '../features/videos/uploads/actions/early-thumbnail.ts'
import { publishVideo } from '../features/videos/uploads/actions/publish-video.ts'
import { registerUser } from '../features/accounts/users/actions/register-user.ts'
import { runTool } from '@kinora/media/process/ffmpeg.ts'
import { dayMs } from '@kinora/platform/durations.ts'
import { newId } from '@kinora/platform/ids.ts'
import { ownName } from '@kinora/platform/process-identity.ts'
import type { Progress } from '@kinora/platform/progress.ts'
import { findTitles, findUserIds, finishVideo, insertEcho, insertSubscriptions } from './queries.ts'
import { Random } from './random.ts'
import { allScenes, type Scene, type SceneKind } from './scenes.ts'
import { type Channel, channels, descriptionOf, planVideos, remarks } from './content.ts'

/** The newest videos are prepared fully, as after a real upload; the others on demand. */
const preparedVideos = 24

/** A drawn scene: the still for thumbnails, and clips of several lengths. */
interface Drawn {
  still: string
  clips: string[]
}

/** Renders each scene on first use, so that a repeated demo renders nothing. */
class Scenes {
  readonly #ffmpeg: string
  readonly #directory: string
  readonly #all = allScenes()
  readonly #drawn = new Map<string, Promise<Drawn>>()

  constructor(ffmpeg: string, directory: string) {
    this.#ffmpeg = ffmpeg
    this.#directory = directory
  }

  pick(kind: SceneKind, random: Random): Promise<Drawn> {
    const scene = random.pick(this.#all.filter((one) => one.kind === kind))
    const drawn = this.#drawn.get(scene.name) ?? drawScene(this.#ffmpeg, this.#directory, scene)
    this.#drawn.set(scene.name, drawn)
    return drawn
  }
}

interface DemoUser {
  id: string
  channel: Channel
}

/**
 * Fills a site with demo content: channels, videos, comments, likes, subscriptions, views of four weeks and an account
 * named `test`, whose password is reported. Idempotent: existing content is not changed.
 */
export async function fillWithDemo(
  context: Context,
  progress: Progress,
  report: (sentence: string) => void,
): Promise<void> {
  const directory = await mkdtemp(path.join(tmpdir(), 'kinora-demo-'))
  const cleanUp = () => rmSync(directory, { recursive: true, force: true })
  // also after Ctrl-C
  process.once('exit', cleanUp)
  try {
    const drawings = new Scenes(context.config.ffmpegPath, directory)
    const users = await createUsers(context, directory, drawings, progress)
    await createTestAccount(context, directory, drawings, report)
    await createVideos(context, directory, drawings, users, progress)
    await insertSubscriptions(context.db, subscriptionsAmong(users, context.clock.now()))
    await recountWords(context.db)
  } finally {
    process.off('exit', cleanUp)
    cleanUp()
  }
}

async function drawScene(ffmpeg: string, directory: string, { name, still, clips }: Scene): Promise<Drawn> {
  const limits = { timeoutMs: 300_000, niceness: 10, isUnsandboxed: true }
  const stillFile = path.join(directory, `${name}.png`)
  await runTool(ffmpeg, ['-v', 'error', '-y', ...still, stillFile], limits)
  const random = new Random(name)
  const files: string[] = []
  for (const [index, clip] of clips.entries()) {
    const seconds = String(6 + random.below(12))
    const file = path.join(directory, `${name}-${index}.mp4`)
    const args = clip.map((part) => part.replaceAll('{still}', stillFile).replaceAll('{seconds}', seconds))
    await runTool(ffmpeg, ['-v', 'error', '-y', ...args, '-f', 'mp4', file], limits)
    files.push(file)
  }
  return { still: stillFile, clips: files }
}

async function createUsers(
  context: Context,
  directory: string,
  scenes: Scenes,
  progress: Progress,
): Promise<DemoUser[]> {
  const known = await findUserIds(
    context.db,
    channels.map(({ username }) => username),
  )
  const users: DemoUser[] = []
  for (const [index, channel] of channels.entries()) {
    progress(`Making channel ${index + 1} of ${channels.length}`)
    const id =
      known.get(channel.username) ??
      (await register(context, directory, scenes, {
        ...channel,
        password: randomBytes(18).toString('base64url'),
      }))
    users.push({ id, channel })
  }
  return users
}

async function createTestAccount(
  context: Context,
  directory: string,
  scenes: Scenes,
  report: (sentence: string) => void,
): Promise<void> {
  const known = await findUserIds(context.db, ['test'])
  if (known.has('test')) return report('The account test exists; its password was shown when it was made.')
  const password = randomBytes(9).toString('base64url')
  await register(context, directory, scenes, {
    username: 'test',
    fullname: 'Test Account',
    kind: 'sea',
    password,
  })
  report(`Sign in as test@kinora.example with the password ${password}`)
}

async function register(
  context: Context,
  directory: string,
  scenes: Scenes,
  { username, fullname, kind, password }: Channel & { password: string },
): Promise<string> {
  const random = new Random(username)
  const { still } = await scenes.pick(kind, random)
  const avatar = path.join(directory, `${username}-avatar.jpg`)
  const coverImage = path.join(directory, `${username}-cover.jpg`)
  await cut(still, avatar, { random, width: 400, height: 400 })
  await cut(still, coverImage, { random, width: 2000, height: 500 })
  const joined = new Date(context.clock.now().getTime() - (200 + random.below(400)) * dayMs)
  return registerUser(
    { ...context, clock: { now: () => joined } },
    { username, fullname, email: `${username}@kinora.example`, password, avatar, coverImage },
  )
}

/** A part of a still in a new shape, sometimes mirrored: one drawing gives many pictures. */
async function cut(
  still: string,
  target: string,
  { random, width, height }: { random: Random; width: number; height: number },
): Promise<void> {
  const { width: fullWidth, height: fullHeight } = await sharp(still).metadata()
  const largest = Math.min(fullWidth / width, fullHeight / height)
  const scale = largest * (0.72 + 0.28 * random.next())
  const [cutWidth, cutHeight] = [Math.floor(width * scale), Math.floor(height * scale)]
  const picture = sharp(still).extract({
    left: random.below(fullWidth - cutWidth + 1),
    top: fullHeight - cutHeight - random.below(Math.ceil((fullHeight - cutHeight) / 3) + 1),
    width: cutWidth,
    height: cutHeight,
  })
  await (random.next() < 0.5 ? picture.flop() : picture)
    .resize(width, height)
    .jpeg({ quality: 90 })
    .toFile(target)
}

async function createVideos(
  context: Context,
  directory: string,
  scenes: Scenes,
  users: readonly DemoUser[],
  progress: Progress,
): Promise<void> {
  const incoming = path.join(context.config.dataDir, 'incoming')
  await mkdir(incoming, { recursive: true })
  const now = context.clock.now()
  const plan = planVideos(new Random('plan'))
  for (const [index, { channel, title }] of plan.entries()) {
    progress(`Publishing video ${index + 1} of ${plan.length}`)
    const owner = users.find((user) => user.channel === channel)
    if (!owner || (await findTitles(context.db, owner.id)).has(title)) continue
    const random = new Random(`${channel.username} ${title}`)
    const scene = await scenes.pick(channel.kind, random)
    const thumbnailFile = path.join(directory, 'thumbnail.jpg')
    await cut(scene.still, thumbnailFile, { random, width: 1280, height: 720 })
    const videoFile = path.join(incoming, ownName())
    await copy(random.pick(scene.clips), videoFile)

    // oldest first; more videos in recent weeks
    const ageDays = 500 * ((plan.length - index - 0.9 * random.next()) / plan.length) ** 2.2
    const createdAt = new Date(now.getTime() - ageDays * dayMs)
    const isPrepared = index >= plan.length - preparedVideos
    const thumbnail = storeThumbnail(context, thumbnailFile)
    const video = await publishVideo(
      { ...context, clock: { now: () => createdAt } },
      { id: newId(), ownerId: owner.id, title, description: descriptionOf(random), videoFile, thumbnail },
      new AbortController().signal,
      { isPrepared },
    )
    if (!isPrepared) await finishVideo(context.db, video._id)
    await insertEcho(context.db, { videoId: video._id, ...echoOf(random, users, createdAt, now) })
  }
}

async function copy(from: string, to: string): Promise<void> {
  // Another disk, or one without hard links.
  await link(from, to).catch(() => copyFile(from, to))
}

/** Generates views, likes and comments of a video. */
function echoOf(random: Random, users: readonly DemoUser[], createdAt: Date, now: Date) {
  const love = random.next() ** 2
  const ids = users.map(({ id }) => id)
  const ageDays = Math.max(1, Math.ceil((now.getTime() - createdAt.getTime()) / dayMs))
  const days = Array.from({ length: Math.min(28, ageDays) }, (_, index) => {
    const weekend = [0, 6].includes(new Date(now.getTime() - index * dayMs).getUTCDay()) ? 1.6 : 1
    const freshness = 1 + 6 / (ageDays - index)
    return {
      day: new Date(now.getTime() - index * dayMs).toISOString().slice(0, 10),
      views: Math.round((3 + 240 * love) * weekend * freshness * (0.5 + random.next())),
    }
  })
  const comments = random.some(remarks, Math.round(1 + 8 * love + 2 * random.next())).map((content) => ({
    id: newId(),
    authorId: random.pick(ids),
    content,
    createdAt: new Date(createdAt.getTime() + random.next() * (now.getTime() - createdAt.getTime())),
    likers: random.some(ids, random.below(6)),
  }))
  return { likers: random.some(ids, Math.round(ids.length * (0.1 + 0.85 * love))), comments, days }
}

function subscriptionsAmong(users: readonly DemoUser[], now: Date) {
  return users.flatMap(({ id, channel }) => {
    const random = new Random(`${channel.username} subscriptions`)
    const others = users.filter((other) => other.id !== id)
    return random.some(others, 3 + random.below(12)).map((other) => ({
      subscriberId: id,
      channelId: other.id,
      createdAt: new Date(now.getTime() - (1 + random.below(180)) * dayMs),
    }))
  })
}
