import { failure, technical } from '../failure.ts'

/** Errors of channels, playlists, search and subscriptions. */
export const watchingErrors = {
  feedNotFound: failure('not_found', 'feed_not_found', 'There is no feed at this address'),
  siteMapNotFound: technical('not_found', 'site_map_not_found', 'There is no site map at this address'),
  videoPageNotFound: technical('not_found', 'video_page_not_found', 'There is no video at this address'),
  clipNotFound: failure('not_found', 'clip_not_found', 'This clip does not exist'),
  clipNotYours: failure('forbidden', 'clip_not_yours', 'This clip is not yours'),
  clipsOff: failure('forbidden', 'clips_off', 'The owner of this video does not allow clips of it'),
  clipBlocked: failure(
    'forbidden',
    'clip_blocked',
    'You cannot make clips here: the owner of the video blocked you',
  ),
  clipWords: failure('invalid', 'clip_words', 'This title has words that are not allowed here'),
  clipTooShort: failure('invalid', 'clip_too_short', 'A clip lasts at least {seconds} s'),
  clipTooLong: failure('invalid', 'clip_too_long', 'A clip lasts at most {limitMinutes}'),
  clipBeyondEnd: failure('invalid', 'clip_beyond_end', 'The end is after the end of the video'),
  clipLimit: failure(
    'conflict',
    'clip_limit',
    'An account has at most {limit} clips. Remove one to make another.',
  ),
  clipLimitOfVideo: failure(
    'conflict',
    'clip_limit_of_video',
    'You have made {limit} clips of this video, which is the limit. Remove one to make another.',
  ),
  playlistNotFound: failure('not_found', 'playlist_not_found', 'This playlist does not exist'),
  playlistLimit: failure(
    'conflict',
    'playlist_limit',
    'An account has at most {limit} playlists. Delete one to create another.',
  ),
  entryNotFound: failure('not_found', 'entry_not_found', 'This entry is no longer in the playlist'),
  watchLaterFixed: failure('forbidden', 'watch_later_fixed', 'Watch later stays private and keeps its name'),
  watchLaterStays: failure(
    'forbidden',
    'watch_later_stays',
    'Watch later cannot be deleted. Remove its videos instead.',
  ),
  playlistFull: failure(
    'conflict',
    'playlist_full',
    'A playlist holds at most {limit} videos. Remove some or use another one.',
  ),
  playlistNotYours: failure('forbidden', 'playlist_not_yours', 'This playlist is not yours'),
  notDismissed: failure('not_found', 'not_dismissed', 'This video is not dismissed'),
  searchEncoding: technical(
    'invalid',
    'search_encoding',
    'The search text is not valid percent-encoding. Encode it as UTF-8.',
  ),
  groupNotFound: failure('not_found', 'group_not_found', 'This group does not exist'),
  groupLimit: failure('invalid', 'group_limit', 'An account has at most {limit} groups. Delete one first.'),
  subscriptionsHidden: failure(
    'forbidden',
    'subscriptions_hidden',
    'Only this person sees the channels that they subscribe to',
  ),
  seedFormat: technical('invalid', 'seed_format', 'The seed has 1 to 32 letters and digits'),
  groupTooLarge: failure('invalid', 'group_too_large', 'At most {limit} channels'),
  linkTooLong: failure('invalid', 'link_too_long', 'A link has at most 500 characters'),
  linkFormat: failure('invalid', 'link_format', 'A link must begin with http:// or https://'),
  searchLanguage: technical('invalid', 'search_language', 'Send a language such as `en` or `pt`'),
  linkLimit: failure('invalid', 'link_limit', 'At most {limit} links'),
}
