import path from 'node:path'
import {
  type FolderCounts,
  type FolderProblem,
  folderProblemsKept,
} from '@kinora/contract/portability/folder-imports.ts'
import { z } from 'zod'

/** A video file of a folder, with what lies beside it. Names are relative to the folder. */
export interface FolderItem {
  video: string
  picture: string | undefined
  /** As yt-dlp writes it: `tide.info.json`. */
  info: string | undefined
  captions: { file: string; language: string }[]
}

const videoExtensions = new Set(
  'mp4 m4v webm ogv ogg mov mkv avi ts mts m2ts mp3 m4a'.split(' ').map((name) => `.${name}`),
)
const pictureExtensions = ['.jpg', '.jpeg', '.png', '.webp']
const captionExtensions = ['.srt', '.vtt']
const languagePattern = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/
/** Language of captions whose name has none. */
const unknownLanguage = 'und'

/** Finds the video files among the names of one directory, and what belongs to each: files with the same name before the extension. */
export function itemsOf(names: readonly string[]): FolderItem[] {
  const present = new Set(names)
  return names
    .filter((name) => videoExtensions.has(path.extname(name).toLowerCase()))
    .map((video) => {
      const stem = video.slice(0, -path.extname(video).length)
      const beside = (extensions: readonly string[]) =>
        extensions.map((extension) => stem + extension).find((name) => present.has(name))
      const captions = names.flatMap((name) => {
        const extension = path.extname(name)
        if (!captionExtensions.includes(extension) || !name.startsWith(`${stem}.`)) return []
        const language = name.slice(stem.length + 1, -extension.length)
        if (language === '') return [{ file: name, language: unknownLanguage }]
        return languagePattern.test(language) ? [{ file: name, language }] : []
      })
      return { video, picture: beside(pictureExtensions), info: beside(['.info.json']), captions }
    })
}

/** A title from the name of a file: without the extension, the id that yt-dlp appends, and with spaces for underscores. */
export function titleOf(name: string): string {
  const stem = name.slice(0, -path.extname(name).length).replace(/ ?\[[\w-]{6,}\]$/, '')
  const spaced = stem.includes(' ') ? stem : stem.replaceAll(/[_.]+/g, ' ')
  return storable(spaced).replaceAll(/\s+/g, ' ').trim() || name
}

/** Well-formed, and without control characters other than line breaks and tabs. */
const storable = (text: string) => text.toWellFormed().replaceAll(/[^\P{Cc}\n\t]/gu, ' ')

const Text = z.string().transform(storable).optional().catch(undefined)

const Info = z.object({
  title: Text,
  description: Text,
  upload_date: z
    .string()
    .regex(/^\d{8}$/)
    .optional()
    .catch(undefined),
  tags: z.array(z.string()).optional().catch(undefined),
})

/** Texts and date that a downloader has written beside a video. Whatever does not fit is left out. */
export function parseInfo(json: string): {
  title?: string
  description?: string
  publishedAt?: Date
  tags: string[]
} {
  const { data } = Info.safeParse(tryParse(json))
  const { title, description, upload_date: day, tags = [] } = data ?? {}
  const publishedAt = day && new Date(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`)
  return {
    ...(title ? { title } : {}),
    ...(description ? { description } : {}),
    ...(publishedAt && !Number.isNaN(publishedAt.getTime()) ? { publishedAt } : {}),
    tags,
  }
}

function tryParse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Result of an import. Lists are complete; each entry is one path. */
export interface FolderReport {
  imported: string[]
  /** Files that an earlier import has brought. */
  known: number
  /** Files that an earlier import has brought, whose reference was gone, for example after a restored backup. */
  restored: string[]
  renamed: { from: string; to: string }[]
  /** Files that an earlier import has brought and that have other bytes now. */
  changed: string[]
  /** Files that an earlier import has brought and that are gone. Their videos stay, and cannot be played. */
  missing: string[]
  failed: { path: string; reason: string }[]
  /** Captions and pictures that could not be read; their videos were imported without. */
  leftOut: { path: string; reason: string }[]
  /** Playlists that were created for directories below the folder. */
  playlists: string[]
  /** Whether the import was ended before its end. Another one continues it. */
  isInterrupted: boolean
  /** Symbolic links, which are not followed: they could lead out of the folder. */
  links: number
}

export const emptyReport = (): FolderReport => ({
  imported: [],
  known: 0,
  restored: [],
  renamed: [],
  changed: [],
  missing: [],
  failed: [],
  leftOut: [],
  playlists: [],
  isInterrupted: false,
  links: 0,
})

export const countsOf = ({ known, links, ...lists }: FolderReport): FolderCounts => ({
  known,
  links,
  imported: lists.imported.length,
  restored: lists.restored.length,
  renamed: lists.renamed.length,
  changed: lists.changed.length,
  missing: lists.missing.length,
  failed: lists.failed.length,
  leftOut: lists.leftOut.length,
  playlists: lists.playlists.length,
})

/** The first problems of an import: files that failed, then what was left out, and what is gone or changed. */
export const problemsOf = ({ failed, leftOut, missing, changed }: FolderReport): FolderProblem[] =>
  [
    ...failed,
    ...leftOut,
    ...missing.map((file) => ({ path: file, reason: 'missing' })),
    ...changed.map((file) => ({ path: file, reason: 'changed' })),
  ].slice(0, folderProblemsKept)
