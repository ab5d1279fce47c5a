import { failure, technical } from '../failure.ts'

/** Errors of channels, playlists, search and subscriptions. */
export const watchingErrors = {
  feedNotFound: failure('not_found', 'feed_not_found', 'There is no feed at this address'),
  siteMapNotFound: technical('not_found', 'site_map_not_found', 'There is no site map at this address'),
  videoPageNotFound: technical('not_found', 'video_page_not_found', 'There is no video at this address'),
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
