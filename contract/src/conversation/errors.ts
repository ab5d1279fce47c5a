import { failure, technical } from '../failure.ts'

/** Errors of comments and mutes. */
export const conversationErrors = {
  blocked: failure(
    'forbidden',
    'blocked',
    'You cannot comment here: you are blocked by the person you write to',
  ),
  wordsNotAllowed: failure(
    'invalid',
    'words_not_allowed',
    'This comment has words that are not allowed here',
  ),
  commentsOff: failure('forbidden', 'comments_off', 'Comments are turned off for this video'),
  cannotBePinned: failure(
    'invalid',
    'cannot_be_pinned',
    'Replies and comments that wait for approval cannot be pinned',
  ),
  commentNotYours: failure('forbidden', 'comment_not_yours', 'This comment is not yours'),
  commentNotFound: failure('not_found', 'comment_not_found', 'This comment does not exist'),
  cannotMuteYourself: failure('invalid', 'cannot_mute_yourself', 'You cannot mute yourself'),
  muteLimit: failure('invalid', 'mute_limit', 'You can mute {limit} people. Unmute somebody first.'),
  commentFilter: technical('invalid', 'comment_filter', 'Show `held` or `published`'),
  commentSort: technical('invalid', 'comment_sort', 'Sort by `newest` or `top`'),
}
