import path from 'node:path'
import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { explain } from '@kinora/contract/failure.ts'
import type { ArchivedComment } from '@kinora/contract/portability/account-archive.ts'
import { normalizeText } from '@kinora/contract/characters.ts'
import type { Category } from '@kinora/contract/videos/video-metadata.ts'
import type { ZipFile } from '@kinora/platform/files/zip-file.ts'
import { dateOf } from '../rules.ts'
import { importComments } from './import-comments.ts'
import { importPlaylist } from './import-playlist.ts'
import type { ImportRun } from './import-run.ts'
import { importSubscriptions } from './import-subscriptions.ts'
import { importVideo, isRefusal, skipVideosWithoutFile } from './import-video.ts'
import { textMaxBytes } from '@kinora/importers/archives/parse-file.ts'
import { isSubscriptions, toSubscription } from '@kinora/importers/lists/parse-lists.ts'
import { csvMaxRows } from '@kinora/importers/lists/parse-table.ts'
import { flatMapInSlices } from '@kinora/importers/archives/read-archive.ts'

/**
 * Google Takeout of YouTube. Folders are named in the language of the account and lists are split (`videos(1).csv`), so lists
 * are recognized by their English column names. Video files carry the title of the video, without what file systems reject.
 */
const videoFile = /\.(?:mp4|m4v|mov|webm|mkv|avi|mpe?g|ogv|3gp|ts|flv|wmv)$/i

const columns = {
  videos: 'Video Title (Original)',
  playlists: 'Playlist Title (Original)',
  entries: 'Playlist Video Creation Timestamp',
}

const categories: Record<string, Category> = {
  'film & animation': 'film',
  'autos & vehicles': 'people',
  music: 'music',
  'pets & animals': 'animals',
  sports: 'sports',
  'travel & events': 'travel',
  gaming: 'gaming',
  'people & blogs': 'people',
  people: 'people',
  comedy: 'comedy',
  entertainment: 'entertainment',
  'news & politics': 'news',
  'howto & style': 'howto',
  education: 'education',
  'science & technology': 'science',
  'nonprofits & activism': 'society',
}

export const isTakeout = (zip: ZipFile) =>
  zip.names.some((name) => /^takeout\//i.test(name) && (name.endsWith('.csv') || videoFile.test(name)))

type Row = Record<string, string>

interface List {
  name: string
  rows: Row[]
}

const originOf = (videoId: string) => `youtube:${videoId}`

/** Imports own videos with their texts, playlists of them, own comments on them, and subscriptions to channels that are here. */
export async function importTakeout(run: ImportRun, zip: ZipFile): Promise<void> {
  const lists = await run.read('lists', (report) => readLists({ report, reader: run.reader }, zip))
  await importVideos(run, zip, rowsWith(lists, columns.videos))
  await importPlaylists(run, lists)
  await importComments(run, async () => commentsOf(lists, run.context.clock.now()), {
    keepsUnresolved: false,
  })
  const subscriptions = lists.filter(({ rows }) => isSubscriptions(rows))
  if (subscriptions.length > 0)
    await importSubscriptions(
      run,
      subscriptions.flatMap(({ rows }) => rows.map(toSubscription)),
    )
}

async function readLists(
  { report, reader }: Pick<ImportRun, 'report' | 'reader'>,
  zip: ZipFile,
): Promise<List[]> {
  const lists: List[] = []
  // all of them are in memory together
  let leftBytes = textMaxBytes
  let leftRows = csvMaxRows
  for (const name of zip.names.filter((each) => each.endsWith('.csv'))) {
    try {
      const format = { kind: 'table', maxRows: leftRows } as const
      const contents = await reader.readEntry(zip, name, { format, maxBytes: leftBytes })
      leftBytes -= zip.sizeOf(name) ?? 0
      // the reader has parsed a table
      const rows = (contents?.rows ?? []) as Row[]
      leftRows -= rows.length
      lists.push({ name, rows })
    } catch (error) {
      if (!isRefusal(error)) throw error
      report.note('files', name, error)
    }
  }
  return lists
}

const rowsWith = (lists: readonly List[], column: string) =>
  lists.flatMap(({ rows }) => rows.filter((row) => column in row))

async function importVideos(run: ImportRun, zip: ZipFile, rows: readonly Row[]): Promise<void> {
  const files = zip.names.filter((name) => videoFile.test(name))
  const titled = new TitledFiles(files)
  const totalBytes = files.reduce((sum, file) => sum + (zip.sizeOf(file) ?? 0), 0)
  let doneBytes = 0
  const count = (file: string) => {
    doneBytes += zip.sizeOf(file) ?? 0
    run.progress = totalBytes === 0 ? 0 : (0.95 * doneBytes) / totalBytes
  }
  const videos = await flatMapInSlices(rows, (row) => {
    const title = row[columns.videos] ?? ''
    return [{ row, title, file: titled.take(title) }]
  })
  const reason = explain(portabilityErrors.takeoutFileMissing)
  await skipVideosWithoutFile(
    run,
    videos.flatMap(({ title, file }) => (file === undefined ? [{ title, reason }] : [])),
  )
  for (const { row, title, file } of videos) {
    if (file === undefined) continue
    count(file)
    await importVideo(run, zip, {
      origin: originOf(row['Video ID'] ?? title),
      title,
      description: row['Video Description (Original)'] ?? '',
      visibility: visibilityOf(row['Privacy']),
      publishAt: null,
      createdAt: dateOf(row['Video Publish Timestamp'] || row['Video Create Timestamp']),
      metadata: {
        category: categories[(row['Video Category'] ?? '').toLowerCase()],
        language: row['Video Audio Language'] || undefined,
        tags: tagsOf(row),
      },
      viewerIds: [],
      file,
      thumbnail: null,
      captions: [],
    })
  }
  // parts of a large export without the list of videos, which is in another part
  for (const file of titled.left) {
    count(file)
    const title = path.posix.parse(file).name
    await importVideo(run, zip, {
      origin: `youtube-file:${title}`,
      title,
      description: '',
      visibility: 'private',
      publishAt: null,
      createdAt: undefined,
      metadata: {},
      viewerIds: [],
      file,
      thumbnail: null,
      captions: [],
    })
    await run.step(`note/${file}`, async () =>
      run.report.note('videos', title, explain(portabilityErrors.videoUnlisted)),
    )
  }
}

const visibilityOf = (privacy: string | undefined) =>
  (({ public: 'public', unlisted: 'unlisted' }) as const)[(privacy ?? '').toLowerCase()] ?? 'private'

const tagsOf = (row: Row) =>
  Object.entries(row).flatMap(([name, value]) => (/^Tag \d+$/.test(name) && value !== '' ? [value] : []))

/**
 * The comments of the account. Column names differ in capitals between exports. The row of a comment below somebody else's
 * comment names that one as its parent.
 */
function commentsOf(lists: readonly List[], now: Date): Promise<ArchivedComment[]> {
  const rows = lists.flatMap((list) => list.rows)
  return flatMapInSlices(rows, (original) => {
    const row = Object.fromEntries(
      Object.entries(original).map(([name, value]) => [name.toLowerCase(), value]),
    )
    const { 'comment id': id, 'comment text': text, 'video id': video, 'parent comment id': parent } = row
    // comments on posts have no video
    if (!id || text === undefined || !video) return []
    const comment = {
      id: originOf(id),
      video: { id: originOf(video), name: `https://youtu.be/${video}`, attributedTo: null },
      inReplyTo: parent ? originOf(parent) : null,
      content: text,
      published: (dateOf(row['comment create timestamp']) ?? now).toISOString(),
      updated: null,
      isPinned: false,
      isHearted: false,
    }
    return [comment]
  })
}

/** Letters and digits, which file names keep of a title. */
const kept = (text: string) =>
  normalizeText(text, 'NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Shorter names are not taken as the beginning of a long title, and no file system has longer ones. */
const [cutFromCharacters, cutToCharacters] = [20, 255]

/** The video files of a Takeout, by the titles that their names keep. Each is taken once. */
export class TitledFiles {
  /** Those that are not taken, in their order. */
  readonly left: Set<string>
  /** Files by name, and by name without the number that follows equal titles; the first file is the last one of each list. */
  readonly #byName = new Map<string, string[]>()
  readonly #byUnnumberedName = new Map<string, string[]>()

  constructor(files: readonly string[]) {
    this.left = new Set(files)
    for (const file of files.toReversed()) {
      const stem = path.posix.parse(file).name
      add(this.#byName, kept(stem), file)
      add(this.#byUnnumberedName, kept(stem.replace(/\(\d+\)$/, '')), file)
    }
  }

  /** Takes the file of a title: its name may be cut, or numbered where titles are equal. */
  take(title: string): string | undefined {
    const wanted = kept(title)
    const file = this.#find(wanted) ?? this.#findCut(wanted)
    if (file === undefined || wanted === '') return undefined
    this.left.delete(file)
    return file
  }

  #find(name: string): string | undefined {
    return this.#next(this.#byName.get(name)) ?? this.#next(this.#byUnnumberedName.get(name))
  }

  /** The longest beginning of a title that is the name of a file. */
  #findCut(wanted: string): string | undefined {
    for (let length = Math.min(wanted.length, cutToCharacters); length >= cutFromCharacters; length -= 1) {
      const file = this.#find(wanted.slice(0, length))
      if (file !== undefined) return file
    }
    return undefined
  }

  #next(files: string[] = []): string | undefined {
    while (files.length > 0 && !this.left.has(files.at(-1) ?? '')) files.pop()
    return files.at(-1)
  }
}

function add(files: Map<string, string[]>, name: string, file: string): void {
  const found = files.get(name)
  if (found) found.push(file)
  else files.set(name, [file])
}

async function importPlaylists(run: ImportRun, lists: readonly List[]): Promise<void> {
  const entriesOf = new Map(
    lists
      .filter(({ rows: [row] }) => row && columns.entries in row)
      .map(({ name, rows }) => [kept(path.posix.parse(name).name), rows]),
  )
  for (const row of rowsWith(lists, columns.playlists)) {
    const title = row[columns.playlists] ?? ''
    const entries = entriesOf.get(`${kept(title)}videos`) ?? []
    const now = run.context.clock.now()
    const createdAt = dateOf(row['Playlist Create Timestamp']) ?? now
    await importPlaylist(run, {
      origin: originOf(row['Playlist ID'] ?? title),
      isWatchLater: false,
      title,
      description: '',
      visibility: visibilityOf(row['Playlist Visibility']),
      createdAt,
      updatedAt: dateOf(row['Playlist Update Timestamp']) ?? createdAt,
      entries: entries.map((entry) => ({
        id: originOf(entry['Video ID'] ?? ''),
        name: `https://youtu.be/${entry['Video ID'] ?? ''}`,
        addedAt: (dateOf(entry[columns.entries]) ?? createdAt).toISOString(),
      })),
    })
  }
}
