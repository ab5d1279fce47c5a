import { z } from 'zod'
import { Viewing } from '../accounts/users.ts'
import { ChannelRole } from '../channel-roles.ts'
import { announcedVisibilities, liveVisibilities } from '../constants.ts'
import { NotificationMails } from '../messages/notification-mails.ts'
import { NotificationKind } from '../messages/notifications.ts'
import { ClipChoice } from '../watching/clips.ts'
import { subscriptionViewers } from '../watching/subscriptions.ts'
import { Category } from '../videos/video-metadata.ts'
import { cutMaxRanges } from '../videos/cut-times.ts'
import { Visibility } from '../videos/videos.ts'

/**
 * The files of an account archive. `schema.json` in each archive is made of these schemas. Names are those of ActivityStreams
 * (https://www.w3.org/TR/activitystreams-vocabulary/) where it has a fitting one.
 */

/** Kinora reads version 1 too, which has other names. */
export const archiveVersion = 2

/** Version of an archive with a list in several files, of which earlier versions of Kinora would read the first one only. */
export const splitArchiveVersion = 3

/** Version of an archive with a cut video, of which earlier versions of Kinora would publish what was removed. */
export const cutArchiveVersion = 4

// PostgreSQL has no year 0
const Time = z.iso.datetime().refine((text) => !text.startsWith('0000'))
const Path = z.string().max(300).describe('Path of a file in the archive.')

const VideoReference = z
  .object({
    id: z.string(),
    name: z.string().nullable().describe('Null where the account may not see the video.'),
    attributedTo: z.string().nullable().describe('Username of its owner.'),
  })
  .describe('A video of this or another account.')

const Person = z
  .object({ id: z.string(), preferredUsername: z.string() })
  .describe('Another account. Usernames may mean somebody else on another site, ids do not.')

/** For reading: an import parses it as the site does. */
const Embeds = z.object({
  allowed: z.enum(['everywhere', 'sites', 'nowhere']),
  sites: z.array(z.string()),
})

export const ArchivedAccount = z.object({
  format: z.literal('kinora-account'),
  version: z
    .literal([archiveVersion, splitArchiveVersion, cutArchiveVersion])
    .describe(
      `${cutArchiveVersion} if a video is cut, otherwise ${splitArchiveVersion} if a list has several files, otherwise ${archiveVersion}.`,
    ),
  exportedAt: Time,
  id: z.string(),
  preferredUsername: z.string(),
  name: z.string(),
  email: z.string(),
  // archives of earlier versions lack it
  language: z
    .string()
    .nullable()
    .optional()
    .describe('The language of the interface that was chosen; null where none was.'),
  viewing: Viewing.optional().describe('Choices about lists of videos; absent where none was made.'),
  published: Time.describe('When the account was created.'),
  summary: z.string().describe('The text of the channel.'),
  links: z.array(z.string()),
  pinnedVideo: z.string().nullable().describe('Id of a video of this account.'),
  icon: Path.nullable().describe('The profile picture.'),
  image: Path.nullable().describe('The cover.'),
  channelGroups: z.array(z.object({ name: z.string(), published: Time, channels: z.array(Person) })),
})
export type ArchivedAccount = z.infer<typeof ArchivedAccount>

export const ArchivedVideo = z.object({
  id: z.string(),
  name: z.string(),
  summary: z.string().describe('The description.'),
  visibility: Visibility,
  publishAt: Time.nullable(),
  viewers: z.array(Person).describe('Those who may watch a private video.'),
  published: Time,
  tags: z.array(z.string()),
  category: Category.nullable(),
  language: z.string().nullable(),
  licence: z.string().nullable(),
  commentsAllowed: z.boolean(),
  commentsHeld: z.boolean(),
  downloadsAllowed: z.boolean(),
  sensitiveReason: z
    .string()
    .nullable()
    .optional()
    .describe('Why its content is sensitive; null or absent without the mark.'),
  embeds: Embeds.nullable()
    .optional()
    .describe('Sites that may embed it; null or absent where the choice of the channel counts.'),
  clips: z
    .enum(['allowed', 'off'])
    .nullable()
    .optional()
    .describe('Whether viewers may make clips; null or absent where the choice of the channel counts.'),
  playsIntros: z
    .boolean()
    .optional()
    .describe('Whether it plays with the intro and the outro of the channel; missing in older archives.'),
  cut: z
    .object({
      published: Time,
      keep: z
        .array(z.object({ startSeconds: z.number().min(0), endSeconds: z.number().min(0) }))
        .min(1)
        .max(cutMaxRanges)
        .describe('In order.'),
      isInDescription: z.boolean().describe('Whether the description has the times of these ranges.'),
    })
    .nullable()
    .optional()
    .describe(
      'Ranges of the file that viewers see; null or absent for all of it. Captions have the times of the file.',
    ),
  file: Path,
  image: Path.nullable().describe('The thumbnail.'),
  captions: z
    .array(
      z.object({
        language: z.string(),
        label: z.string(),
        isDefault: z.boolean(),
        isAutomatic: z.boolean().default(false).describe('Whether the site has recognized them.'),
        fileTrack: z.number().int().nullable().describe('Track of the video file that these replace.'),
        file: Path,
      }),
    )
    .describe('Captions that were added to the video file.'),
})
export type ArchivedVideo = z.infer<typeof ArchivedVideo>

export const ArchivedPlaylist = z.object({
  id: z.string(),
  isWatchLater: z.boolean(),
  name: z.string(),
  summary: z.string().describe('The description.'),
  visibility: z.enum(['private', 'unlisted', 'public']),
  published: Time,
  updated: Time,
  orderedItems: z.array(VideoReference.extend({ addedAt: Time })),
})
export type ArchivedPlaylist = z.infer<typeof ArchivedPlaylist>

export const ArchivedComment = z.object({
  id: z.string(),
  video: VideoReference,
  inReplyTo: z.string().nullable().describe('Id of the comment that this one answers.'),
  content: z.string(),
  published: Time,
  updated: Time.nullable().describe('When it was edited.'),
  timeDates: z
    .record(z.string(), Time)
    .nullish()
    .describe('Dates at which times that the last edit kept were written, by time in seconds.'),
  isPinned: z.boolean(),
  isHearted: z.boolean(),
})
export type ArchivedComment = z.infer<typeof ArchivedComment>

/** For reading: an import brings none into the chats of others. */
export const ArchivedChatMessage = z.object({
  id: z.string(),
  video: VideoReference,
  content: z.string(),
  published: Time,
})
export type ArchivedChatMessage = z.infer<typeof ArchivedChatMessage>

export const ArchivedClip = z.object({
  id: z.string(),
  video: VideoReference,
  name: z.string(),
  startSeconds: z
    .number()
    .min(0)
    .max(1e7)
    .describe('In the file of an own video, whatever was cut of it; in a video of others as viewers see it.'),
  endSeconds: z.number().min(0).max(1e7),
  published: Time,
})
export type ArchivedClip = z.infer<typeof ArchivedClip>

/** A template of live streams. */
export const ArchivedShow = z.object({
  id: z.string(),
  name: z.string(),
  summary: z.string().describe('The description.'),
  visibility: z.enum(liveVisibilities),
  keepsRecording: z.boolean().describe('Whether a stream stays as a video after its end.'),
  published: Time,
})
export type ArchivedShow = z.infer<typeof ArchivedShow>

/** A live stream that was announced and has not begun. */
export const ArchivedAnnouncement = z.object({
  id: z.string(),
  name: z.string(),
  summary: z.string().describe('The description.'),
  visibility: z.enum(announcedVisibilities),
  keepsRecording: z.boolean(),
  startTime: Time.describe('When it is to begin. An import announces those that are still to come.'),
})
export type ArchivedAnnouncement = z.infer<typeof ArchivedAnnouncement>

export const ArchivedVideoLike = z.object({ video: VideoReference, published: Time })
export const ArchivedCommentLike = z.object({ comment: z.string(), video: VideoReference, published: Time })

export const ArchivedHistoryEntry = z.object({
  video: VideoReference,
  watchedAt: Time.nullable().describe('Null for a position without an entry in the history.'),
  positionSeconds: z.number(),
  // archives of earlier versions lack it
  isFinished: z.boolean().optional(),
})

export const ArchivedSubscription = Person.extend({ name: z.string(), published: Time })

export const ArchivedDismissedVideo = z.object({ video: VideoReference, dismissedAt: Time })
export const ArchivedDismissedChannel = Person.extend({ dismissedAt: Time })
export const ArchivedMutedPerson = Person.extend({ isBlocked: z.boolean(), mutedAt: Time })

/** For reading: an import invites nobody. */
export const ArchivedCollaborator = Person.extend({ role: ChannelRole, since: Time })

/** For reading: an import makes no links, because secrets and passwords are not in the archive. */
export const ArchivedShareLink = z.object({
  id: z.string(),
  video: z.string().nullable().describe('Id of a video of this account.'),
  playlist: z.string().nullable().describe('Id of a playlist of this account.'),
  name: z.string(),
  hasPassword: z.boolean(),
  expiresAt: Time.nullable(),
  maxViewers: z.number().int().nullable(),
  allowsDownload: z.boolean(),
  isListed: z.boolean().describe('Whether lists show the video with a lock.'),
  showsPicture: z.boolean(),
  viewers: z.number().int().describe('Browsers that have opened it.'),
  published: Time,
  usedAt: Time.nullable(),
})

export const ArchivedSettings = z.object({
  isHistoryPaused: z.boolean(),
  subscriptionsVisibleTo: z
    .enum(subscriptionViewers)
    .default('members')
    .describe('Who sees the channels of subscriptions.json on the site; missing in older archives.'),
  watchedWords: z.string(),
  watchedWordsAction: z.enum(['hold', 'refuse']),
  mutedNotifications: z.array(NotificationKind).describe('Kinds that are switched off.'),
  notificationMails: NotificationMails,
  embeds: Embeds.optional().describe(
    'Sites that may embed videos of the channel; missing in older archives.',
  ),
  clips: ClipChoice.optional().describe('Whether viewers may make clips; missing in older archives.'),
  introVideo: z
    .string()
    .nullish()
    .describe('Id of the video of this account that plays before others; missing in older archives.'),
  outroVideo: z.string().nullish().describe('As `introVideo`, after others.'),
})
export type ArchivedSettings = z.infer<typeof ArchivedSettings>

/** The schema of each file; those of lists hold an array. `<id>` is the id of a video. */
export const archiveFiles = {
  'account.json': ArchivedAccount,
  'settings.json': ArchivedSettings,
  'videos/<id>/video.json': ArchivedVideo,
  'playlists.json': z.array(ArchivedPlaylist),
  'comments.json': z.array(ArchivedComment),
  'chat-messages.json': z.array(ArchivedChatMessage),
  'video-likes.json': z.array(ArchivedVideoLike),
  'comment-likes.json': z.array(ArchivedCommentLike),
  'clips.json': z.array(ArchivedClip),
  'shows.json': z.array(ArchivedShow),
  'announced-streams.json': z.array(ArchivedAnnouncement),
  'history.json': z.array(ArchivedHistoryEntry),
  'subscriptions.json': z.array(ArchivedSubscription),
  'dismissed-videos.json': z.array(ArchivedDismissedVideo),
  'dismissed-channels.json': z.array(ArchivedDismissedChannel),
  'muted-people.json': z.array(ArchivedMutedPerson),
  'collaborators.json': z.array(ArchivedCollaborator),
  'share-links.json': z.array(ArchivedShareLink),
} as const

/** The archive with its files by their paths. */
export const AccountArchive = z
  .object(archiveFiles)
  .describe('A long list has several files, such as `history.json`, `history-2.json`, `history-3.json`.')

/** The name of a file of a list, counted from 1: each has an array of its own. */
export const listFileName = (list: string, number: number): string =>
  number === 1 ? list : list.replace('.json', `-${number}.json`)
