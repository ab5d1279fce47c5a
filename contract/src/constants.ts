/** Fixed length limits in characters, which operators cannot change. */
export const maxLength = { email: 254, password: 200 } as const

/**
 * Text, an at sign, text, no white space: deliberately no stricter than specified. `[^\s@]*` cannot cross an at sign, so
 * matching takes linear time.
 */
export const emailPattern = /^\S[^\s@]*@\S+$/
export const usernamePattern = /^[A-Za-z0-9]+$/

/** Number of equal parts of a video in which retention is counted. */
export const retentionParts = 100

export const captionsMaxBytes = 2 * 1024 ** 2

/** Files above this size are uploaded resumably. */
export const resumableFromBytes = 64 * 1024 * 1024

/**
 * Resumable uploads implement tus 1.0 (https://tus.io) at this path: POST creates an upload, PATCH appends bytes, HEAD
 * returns the offset, DELETE terminates it. All require the session cookie of the owner. `publishUpload` publishes a
 * complete upload as a video. Uploads that are not continued are deleted after a day.
 */
export const uploadsPath = '/uploads'

/** People whom one account can mute. */
export const mutedPeopleMax = 500

/** Longest intro or outro of a channel. */
export const introMaxSeconds = 30

/** How often notifications are mailed. */
export const mailFrequencies = ['off', 'immediate', 'daily'] as const

/** Choices for sensitive videos: lists and pages show them, blur them until a click, or leave them out of lists. */
export const sensitiveChoices = ['show', 'blur', 'hide'] as const
export type SensitiveChoice = (typeof sensitiveChoices)[number]

/** Kinds of notifications; users can switch each of them off. */
export const notificationKinds = [
  'video',
  'comment',
  'reply',
  'mention',
  'subscriber',
  'processing',
  'report',
  'moderation',
  'sign_in',
  'webhook',
  'to_decide',
  'collaboration',
  'handover',
  'premiere',
  'live_expired',
] as const

/** Kinds that concern moderators and administrators only. */
export const moderatorKinds: readonly (typeof notificationKinds)[number][] = ['to_decide']

/** Device of a session whose browser names neither itself nor its system. */
export const unknownDevice = 'Unknown device'

/** Kinds of reported content, and reasons. */
export const reportKinds = ['video', 'comment', 'channel', 'clip'] as const
export type ReportKind = (typeof reportKinds)[number]
export const reportReasons = [
  'spam',
  'harassment',
  'hate',
  'violence',
  'sexual',
  'copyright',
  'other',
] as const
export type ReportReason = (typeof reportReasons)[number]

/** Whether an account is the shared one for demonstrations, which nobody may change. */
export const isTestAccount = (username: string, { demoAccount }: { demoAccount: boolean }) =>
  demoAccount && username.toLowerCase() === 'test'

/** Registration is for everybody, for everybody once a moderator approves, by invitation, or for nobody. */
export const registrationPolicies = ['open', 'approval', 'invitation', 'closed'] as const
export type RegistrationPolicy = (typeof registrationPolicies)[number]

/** Texts about the site. */
export const siteNameMaxCharacters = 60
export const siteContactMaxCharacters = 300
export const siteTextMaxCharacters = 20_000

/** Effects of a watched word on a comment. */
export const watchedWordsActions = ['hold', 'refuse'] as const
export type WatchedWordsAction = (typeof watchedWordsActions)[number]
export const watchedWordsMaxCharacters = 5000

/** Longest message of a chat, who may write in one, and the slowest pace that an owner can set. */
export const chatMessageMaxCharacters = 200
export const chatWriters = ['everybody', 'subscribers', 'nobody'] as const
export type ChatWriters = (typeof chatWriters)[number]
export const slowModeMaxSeconds = 300

/** Longest time that addresses of sign-ins and entries of the audit log are kept. */
export const retentionMaxDays = 3650

/** The highest quota of videos, hours and minutes. */
export const quotaMax = 1_000_000_000

/** Days for which a deleted account can be kept. */
export const deletionMaxDays = 90

/** People who may use an invitation, and days for which it is valid. */
export const invitationMaxUses = 1000
export const invitationMaxDays = 365
export const invitationNoteMaxCharacters = 80

/** Kinds of accounts that moderators list. */
export const peopleFilters = ['suspended', 'waiting', 'leaving', 'moderator', 'administrator'] as const
export type PeopleFilter = (typeof peopleFilters)[number]

/** Comments that moderators list: those that wait for approval, and those that moderators deleted. */
export const commentFilters = ['held', 'removed'] as const
export type CommentFilter = (typeof commentFilters)[number]

/** Rules of the site for which comments wait for approval. */
export const heldByRules = ['word', 'link', 'first'] as const
export type HeldBy = (typeof heldByRules)[number]

/** States of videos, as moderators see them. */
export const videoStates = ['waiting', 'processing', 'ready', 'failed', 'taken_down'] as const
export type VideoState = (typeof videoStates)[number]

/** Longest reason of a takedown, in characters. */
export const reasonMaxCharacters = 500

/** Groups of followed channels. */
export const channelGroupsPerAccount = 50
export const channelsPerGroup = 500

/** Links on a channel. */
export const maxChannelLinks = 10

/** Longest texts of a report and of the answer to a decision, in characters. */
export const reportTextMaxCharacters = 2000
export const reportDecisions = ['dismiss', 'remove'] as const
export type ReportDecision = (typeof reportDecisions)[number]
export const reportFilters = ['open', 'answered', 'decided'] as const
export type ReportFilter = (typeof reportFilters)[number]

/** Orders of search results, and the periods and lengths that filter them. */
export const searchSorts = ['relevance', 'date', 'views'] as const
export const searchPeriods = ['day', 'week', 'month', 'year'] as const
export const searchLengths = ['short', 'medium', 'long'] as const

/** API tokens of an account, and their limits. */
export const apiTokensPerAccount = 50
export const apiTokenNameMaxCharacters = 80
export const apiTokenMaxDays = 3650

/** Name of the actor of what was done by `kinora`. No account can have it. */
export const commandLine = 'command line'

/** Events of webhooks; those of the site only where an administrator asks for them. */
export const ownWebhookEvents = ['video.published', 'video.ready', 'video.failed', 'comment.created'] as const
export const siteWebhookEvents = ['user.registered', 'report.created'] as const
export const webhookEvents = [...ownWebhookEvents, ...siteWebhookEvents] as const
export const webhooksPerAccount = 10

/** Imports from addresses that one account runs at a time. */
export const runningVideoImports = 10

/** Feeds whose new videos one account imports. */
export const feedImportsPerAccount = 10

/** Visibilities with which live streams can begin. */
export const liveVisibilities = ['public', 'unlisted', 'members', 'private'] as const
/** Path of the list of what comes, for calendar programs; `?channel=` selects a channel. */
export const comingCalendarPath = '/feeds/coming.ics'
/** Visibilities of announced live streams. */
export const announcedVisibilities = ['public', 'unlisted', 'members'] as const
/** An announced stream begins with the first one of its channel from so many minutes before its time on. */
export const announcedMinutesBefore = 15
/** Hours after its time at which an announced stream that has not begun expires. */
export const announcedHoursAfter = 3
