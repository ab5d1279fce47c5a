import path from 'node:path'
import { defaultSettings } from '@kinora/contract/settings.ts'

/**
 * Values of the configuration that no operator sets: those that several domains use, and those that tests replace through
 * `createTestApp`. Other constants stand in their feature.
 */
export const constants = {
  /** Directory of the built pages. */
  webDistDir: path.join(import.meta.dirname, '../../../web/dist'),

  titleMaxCharacters: defaultSettings.titleMaxCharacters,
  descriptionMaxCharacters: defaultSettings.descriptionMaxCharacters,
  commentMaxCharacters: defaultSettings.commentMaxCharacters,
  /** Full names and usernames. */
  nameMaxCharacters: defaultSettings.nameMaxCharacters,
  /** Thumbnails, profile and cover pictures. */
  pictureMaxBytes: defaultSettings.pictureMaxBytes,
  pictureMaxMegapixels: 40,

  /** An upload that sends no byte for this long is closed. */
  uploadIdleSeconds: 60,
  /** A connection that reads nothing of its response for this long is closed. */
  downloadIdleSeconds: 60,
  /** Disk space for local copies of sources from the bucket, which ffmpeg reads. */
  copiesMaxBytes: 20 * 1024 ** 3,
  /** How long a read from a bucket waits for the beginning of the response before the request is answered 503. */
  storageTimeoutSeconds: 5,

  /** Renditions of live streams are offered if the machine encodes all of them so much faster than they play. */
  liveEncodingSpeed: 1.3,

  /** IP addresses of push services that are requested although they are not public. */
  pushAddresses: [] as string[],
  /** The only certificate authority of push services, in PEM; by default those of Node.js. */
  pushAuthority: undefined as string | undefined,

  /** argon2id with 19 MiB and two passes, the library's default. */
  passwordHashing: { memoryCost: 19_456, timeCost: 2, parallelism: 1 },
  /** How long a session lasts without a visit. */
  sessionDays: 30,
  /** Failed sign-ins to one account from one address. */
  loginsPerMinute: 10,
  /** Failed sign-ins from one address to any account. */
  loginsPerAddressPerMinute: 100,
  /** Failed sign-ins to one account from all addresses. More are delayed. */
  loginsPerAccountPerHour: 100,
  /** Views of one video counted for one viewer: an account, else an address and its browser. */
  viewsPerViewerPerHour: 300,
  /** Playback reports that count from one address, and for one video from one network. A playback sends a few. */
  playbackReportsPerMinute: 600,
  playbackReportsPerNetworkPerHour: 3000,
  /** Changes of the email address that one account tries. */
  emailChangesPerHour: 5,
  /** Archives that one account starts. Each copies all its files. */
  accountExportsPerDay: 10,
  /** Imports that one account starts. */
  accountImportsPerDay: 50,
  /** Videos that one account imports from addresses. */
  videoImportsPerDay: 200,
  /** Wrong codes of the second factor of one account from one network. */
  secondFactorsPerMinute: 5,
  /** Wrong codes of the authenticator app of one account, from all addresses that it has not logged in from. */
  secondFactorsPerAccountPerHour: 100,
  /** Notifications, and mails, of new devices that one account gets. */
  newDevicesPerHour: 10,
  /** Mails for a new password that one account gets. */
  passwordResetsPerHour: 3,
  /** Mails that one address gets because somebody registers with it. */
  registrationMailsPerHour: 3,
  /** Challenges of registrations that one address gets. Each costs the server a few milliseconds. */
  registrationChallengesPerMinute: 120,
  /** Videos in one file of the site map: with the longest descriptions, escaped, it stays below 50 MiB. */
  videosPerSitemap: 4000,
  /** Event streams that one account may hold open at a time. */
  eventStreamsPerUser: 12,
}
export type Constants = typeof constants
