import { failure, technical } from '../failure.ts'

/** Errors of live streams and chats. */
export const liveErrors = {
  neverLive: failure('not_found', 'never_live', 'This video is no live stream'),
  liveNotAllowed: failure('forbidden', 'live_not_allowed', 'This account may not stream live'),
  liveShowLimit: failure('conflict', 'live_show_limit', 'A channel can have at most {limit} shows'),
  liveShowNotFound: failure('not_found', 'live_show_not_found', 'This show does not exist'),
  announcedLimit: failure('conflict', 'announced_limit', 'A channel can announce at most {limit} streams'),
  announcedPast: failure('invalid', 'announced_past', 'Choose a time in the future'),
  announcedTooLate: failure('invalid', 'announced_too_late', 'Choose a time within a year'),
  announcedNotFound: failure('not_found', 'announced_not_found', 'This stream is not announced'),
  announcedApproval: failure(
    'forbidden',
    'announced_approval',
    'Your videos wait for approval, so you cannot announce streams yet',
  ),
  browserStreams: failure(
    'conflict',
    'browser_streams',
    'Another browser streams on this channel. End its stream first, or try again in a few seconds.',
  ),
  browserReplaced: failure('conflict', 'browser_replaced', 'Another browser streams on this channel now'),
  ingestBehind: technical('unavailable', 'ingest_behind', 'The site does not keep up with the stream'),
  pieceLimit: technical('too_many_requests', 'piece_limit', 'Send one piece of a stream after another'),
  chatNotFound: failure('not_found', 'chat_not_found', 'This video has no chat'),
  chatClosed: failure('forbidden', 'chat_closed', 'This chat is closed'),
  chatForSubscribers: failure(
    'forbidden',
    'chat_for_subscribers',
    'Only subscribers of the channel can write in this chat',
  ),
  chatWords: failure('invalid', 'chat_words', 'This message has words that are not allowed here'),
  chatSlow: failure('too_many_requests', 'chat_slow', 'This chat is in slow mode. Try again in {waitMs}.'),
  chatFast: failure('too_many_requests', 'chat_fast', 'You write too fast. Try again in a few seconds.'),
  chatStreamLimit: technical('too_many_requests', 'chat_stream_limit', 'You have too many chats open'),
  messageNotYours: failure('forbidden', 'message_not_yours', 'This message is not yours'),
  messageNotFound: failure('not_found', 'message_not_found', 'This message does not exist'),
}
