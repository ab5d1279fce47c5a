import { failure, technical } from '../failure.ts'

/** Errors of live streams and chats. */
export const liveErrors = {
  neverLive: failure('not_found', 'never_live', 'This video is no live stream'),
  liveNotAllowed: failure('forbidden', 'live_not_allowed', 'This account may not stream live'),
  chatNotFound: failure('not_found', 'chat_not_found', 'This video has no chat'),
  chatClosed: failure('forbidden', 'chat_closed', 'This chat is closed'),
  chatForSubscribers: failure(
    'forbidden',
    'chat_for_subscribers',
    'Only subscribers of the channel can write in this chat',
  ),
  chatWords: failure('invalid', 'chat_words', 'This message has words that are not allowed here'),
  chatSlow: failure('too_many_requests', 'chat_slow', 'This chat is in slow mode. Try again in {waitMs}.'),
  chatStreamLimit: technical('too_many_requests', 'chat_stream_limit', 'You have too many chats open'),
  messageNotYours: failure('forbidden', 'message_not_yours', 'This message is not yours'),
  messageNotFound: failure('not_found', 'message_not_found', 'This message does not exist'),
}
