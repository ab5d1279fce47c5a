import {
  ArchivedAccount,
  ArchivedAnnouncement,
  ArchivedClip,
  ArchivedComment,
  ArchivedCommentLike,
  ArchivedDismissedChannel,
  ArchivedDismissedVideo,
  ArchivedHistoryEntry,
  ArchivedMutedPerson,
  ArchivedPlaylist,
  ArchivedSettings,
  ArchivedShow,
  ArchivedSubscription,
  ArchivedVideo,
  ArchivedVideoLike,
} from '@kinora/contract/portability/account-archive.ts'
import { z } from 'zod'

/** JSON files of Kinora that hold one object. */
export const documents = {
  version: z.object({ version: z.number() }),
  account: ArchivedAccount,
  settings: ArchivedSettings,
  video: ArchivedVideo,
}
export type DocumentName = keyof typeof documents

const Text = z.string().nullish()
const Count = z.number().nullish()

const PeertubeVideo = z.object({
  uuid: z.string(),
  name: z.string(),
  description: Text,
  url: Text,
  privacy: Count,
  category: Count,
  licence: Count,
  language: Text,
  tags: z.array(z.string()).nullish(),
  publishedAt: Text,
  originallyPublishedAt: Text,
  commentsPolicy: Count,
  downloadEnabled: z.boolean().nullish(),
  nsfw: z.boolean().nullish(),
  nsfwSummary: Text,
  isLive: z.boolean().nullish(),
  chapters: z.array(z.object({ timecode: z.number(), title: z.string() })).nullish(),
  archiveFiles: z
    .object({ videoFile: Text, thumbnail: Text, captions: z.record(z.string(), z.string()).nullish() })
    .nullish(),
})
export type PeertubeVideo = z.infer<typeof PeertubeVideo>

const PeertubePlaylist = z.object({
  uuid: z.string(),
  displayName: z.string(),
  description: Text,
  privacy: Count,
  type: Count,
  createdAt: Text,
  updatedAt: Text,
  elements: z.array(z.object({ videoUrl: z.string() })),
})

const Activity = z.object({ videoUrl: z.string(), createdAt: Text })

/** JSON files that hold a list. Those of Kinora skip rows that do not follow the schema. Those of PeerTube have it in a field. */
export const lists = {
  playlists: { row: ArchivedPlaylist },
  comments: { row: ArchivedComment },
  'likes of videos': { row: ArchivedVideoLike },
  'likes of comments': { row: ArchivedCommentLike },
  clips: { row: ArchivedClip },
  shows: { row: ArchivedShow },
  'announced streams': { row: ArchivedAnnouncement },
  history: { row: ArchivedHistoryEntry },
  subscriptions: { row: ArchivedSubscription },
  'dismissed videos': { row: ArchivedDismissedVideo },
  'dismissed channels': { row: ArchivedDismissedChannel },
  'muted people': { row: ArchivedMutedPerson },
  'peertube videos': { row: PeertubeVideo, field: 'videos' },
  'peertube playlists': { row: PeertubePlaylist, field: 'videoPlaylists' },
  'peertube following': { row: z.object({ targetHandle: z.string(), createdAt: Text }), field: 'following' },
  'peertube likes': { row: Activity, field: 'likes' },
  'peertube history': {
    row: Activity.extend({ lastTimecode: Count, updatedAt: Text }),
    field: 'watchedVideos',
  },
  'peertube comments': {
    row: Activity.extend({ url: z.string(), text: z.string(), inReplyToCommentUrl: Text }),
    field: 'comments',
  },
} satisfies Record<string, { row: z.ZodType; field?: string }>
export type ListName = keyof typeof lists
export type Row<Name extends ListName> = z.output<(typeof lists)[Name]['row']>
