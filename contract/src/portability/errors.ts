import { failure, technical } from '../failure.ts'

/** Errors of imports, exports and deletion. */
export const portabilityErrors = {
  deletionNotFound: failure('not_found', 'deletion_not_found', 'No account of this browser is being deleted'),
  testAccountDeletion: failure('forbidden', 'test_account_deletion', 'You cannot delete test accounts!'),
  exportRunning: failure(
    'conflict',
    'export_running',
    'Your account is being exported already. Wait until it is ready.',
  ),
  exportNotFound: failure(
    'not_found',
    'export_not_found',
    'There is no export to download. Start a new one.',
  ),
  accountImportRunning: failure(
    'conflict',
    'account_import_running',
    'An import is running already. Wait until it ends, or stop it.',
  ),
  sharedAccountImport: failure(
    'forbidden',
    'shared_account_import',
    'Everybody uses this account, so it cannot import from addresses',
  ),
  importsOfDayLimit: failure(
    'too_many_requests',
    'imports_of_day_limit',
    'The daily limit of imports is reached. The rest is imported tomorrow.',
  ),
  transferTooSlow: failure(
    'unavailable',
    'transfer_too_slow',
    'The server sends the file too slowly. Upload it instead.',
  ),
  noVideoImports: failure(
    'forbidden',
    'no_video_imports',
    'This site does not fetch videos from addresses. Upload the file instead.',
  ),
  videoImportLimit: failure(
    'conflict',
    'video_import_limit',
    '{count} imports are running. Wait until one has ended.',
  ),
  videoImportNotFound: failure('not_found', 'video_import_not_found', 'There is no such import'),
  noMediaFile: failure(
    'invalid',
    'no_media_file',
    'This is the address of a page, not of a media file. Enter the address of the file itself.',
  ),
  fileAccessRefused: failure(
    'invalid',
    'file_access_refused',
    'The server refuses access to this file. Enter an address that opens without a sign-in.',
  ),
  fileNotFound: failure('invalid', 'file_not_found', 'There is no file at this address. Check the address.'),
  fileStatus: failure(
    'invalid',
    'file_status',
    'The server responded with status {status} instead of a file',
  ),
  archiveLacks: failure('invalid', 'archive_lacks', 'The archive lacks {name}. Export it again.'),
  newpipeUnreadable: failure(
    'invalid',
    'newpipe_unreadable',
    'The database of this NewPipe backup cannot be read',
  ),
  readingTooCostly: failure(
    'invalid',
    'reading_too_costly',
    'Reading the file takes too much time or memory',
  ),
  archiveFileInvalid: failure(
    'invalid',
    'archive_file_invalid',
    '{name} is not valid. Export the archive again.',
  ),
  tooManyValues: failure('invalid', 'too_many_values', 'The file has more than {limit} values'),
  tooManyRows: failure('invalid', 'too_many_rows', 'Lists may have at most {limit} rows together'),
  notTable: failure('invalid', 'not_table', 'This file is no table of comma-separated values'),
  tooManySteps: failure(
    'invalid',
    'too_many_steps',
    'The archive has more than {limit} videos and playlists',
  ),
  listTooLarge: failure(
    'invalid',
    'list_too_large',
    'A list of subscriptions or playlists may have at most 8 MB',
  ),
  archiveWithoutVideo: failure(
    'invalid',
    'archive_without_video',
    'The archive does not have the file of the video',
  ),
  archiveWithoutFile: failure('invalid', 'archive_without_file', 'The archive does not have this file'),
  archiveNewer: failure(
    'invalid',
    'archive_newer',
    'The archive is from a newer version of Kinora. This site has to be upgraded first.',
  ),
  archiveUnknown: failure(
    'invalid',
    'archive_unknown',
    'This file cannot be imported. Choose the archive of an account, or a list of subscriptions or playlists.',
  ),
  feedTooLarge: failure('invalid', 'feed_too_large', 'The feed is larger than 5 MB'),
  feedUnreadable: failure('invalid', 'feed_unreadable', 'The feed cannot be read'),
  noFeedAtAddress: failure('invalid', 'no_feed_at_address', 'No RSS or Atom feed was found at this address.'),
  noFeedImports: failure(
    'forbidden',
    'no_feed_imports',
    'This site does not fetch videos from addresses. Upload them instead.',
  ),
  feedPresent: failure('conflict', 'feed_present', 'Videos of this feed are imported already'),
  feedLimit: failure('conflict', 'feed_limit', 'An account can have at most {limit} feeds'),
  feedImportNotFound: failure('not_found', 'feed_import_not_found', 'There is no such feed'),
  feedNeedsLogin: failure('invalid', 'feed_needs_login', 'The feed requires a login.'),
  feedMissing: failure('invalid', 'feed_missing', 'There is no feed at this address'),
  feedStatus: failure(
    'invalid',
    'feed_status',
    'The server responded with status {status} instead of a feed',
  ),
  importsExistingFormat: technical('invalid', 'imports_existing_format', 'importsExisting is true or false'),
  isPausedFormat: technical('invalid', 'is_paused_format', 'isPaused is true or false'),
  addressTooLong: failure('invalid', 'address_too_long', 'The address may have at most 2,000 characters'),
}
