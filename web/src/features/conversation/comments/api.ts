import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import {
  addComment,
  addReply,
  approveComment,
  editComment,
  getComment,
  getPinnedComment,
  holdComment,
  listComments,
  listHeldComments,
  listMentionable,
  listReceivedComments,
  listReplies,
  markComment,
  restoreComment,
  type Comment,
  type CommentSort,
  type deleteComment,
  type removeComment,
} from '@kinora/contract/conversation/comments.ts'
import { hasLikedComment, toggleCommentLike } from '@kinora/contract/conversation/likes.ts'
import type { Page, ResultOf } from '@kinora/contract/endpoint.ts'
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  type QueryClient,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { firstPage, pageQuery } from '../../../lib/list-pages.ts'
import { commentKeys } from '../../../lib/watch-keys.ts'
import { useToggle } from '../../../lib/use-toggle.ts'

/** Comments of a video, page by page; refetched on every visit. */
export function commentsQuery(videoId: string, sort: CommentSort = 'newest') {
  return infiniteQueryOptions({
    queryKey: commentKeys.list(videoId, sort),
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...pageQuery(pageParam), ...(sort === 'newest' ? {} : { sort }) }
      try {
        return await call(listComments, { params: { videoId }, query, signal })
      } catch (error) {
        if (!signal.aborted) console.error('The comments could not be loaded', error)
        throw error
      }
    },
    initialPageParam: firstPage,
    getNextPageParam: (page) => page.nextCursor,
    gcTime: 0,
  })
}

/** Replies to a comment, oldest first. */
export function repliesQuery(videoId: string, commentId: string) {
  return infiniteQueryOptions({
    queryKey: commentKeys.replies(videoId, commentId),
    queryFn: ({ pageParam, signal }) =>
      call(listReplies, { params: { commentId }, query: pageQuery(pageParam), signal }),
    initialPageParam: firstPage,
    getNextPageParam: (page) => page.nextCursor,
    gcTime: 0,
  })
}

/** Comments that wait for approval: all for the owner of the video, else those of the caller. */
export function heldCommentsQuery(videoId: string) {
  return infiniteQueryOptions({
    queryKey: commentKeys.held(videoId),
    queryFn: ({ pageParam, signal }) =>
      call(listHeldComments, { params: { videoId }, query: pageQuery(pageParam), signal }),
    initialPageParam: firstPage,
    getNextPageParam: (page) => page.nextCursor,
    gcTime: 0,
  })
}

/** Comments on all own videos, newest first: those that wait for approval, or the published ones. */
export function receivedCommentsQuery(show: 'held' | 'published', channel: string | undefined) {
  return infiniteQueryOptions({
    queryKey: commentKeys.received(show, channel),
    queryFn: ({ pageParam, signal }) =>
      call(listReceivedComments, { query: { ...pageQuery(pageParam), limit: '50', show, channel }, signal }),
    initialPageParam: firstPage,
    getNextPageParam: (page) => page.nextCursor,
  })
}

/** The pinned comment of a video, as a list. */
export function pinnedCommentQuery(videoId: string) {
  return queryOptions({
    queryKey: commentKeys.pinned(videoId),
    queryFn: async ({ signal }): Promise<Comment[]> => {
      const pinned = await call(getPinnedComment, { params: { videoId }, signal })
      return pinned ? [pinned] : []
    },
    gcTime: 0,
  })
}

/** A comment that the address names; a reply after the comment that it replies to. */
export function linkedCommentQuery(videoId: string, commentId: string) {
  return queryOptions({
    queryKey: commentKeys.linked(videoId, commentId),
    queryFn: async ({ signal }): Promise<Comment[]> => {
      const { comment, parent } = await call(getComment, { params: { commentId }, signal })
      return parent ? [parent, comment] : [comment]
    },
    retry: false,
    gcTime: 0,
  })
}

/** People whose username starts with a text; without a text those of the conversation. */
export function mentionableQuery(videoId: string, text: string) {
  return queryOptions({
    queryKey: commentKeys.mentionable(videoId, text),
    queryFn: ({ signal }) =>
      call(listMentionable, { params: { videoId }, query: text ? { text } : {}, signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
}

/** Whether the caller likes a comment, for lists without that field. */
export function commentLikedQuery(videoId: string, commentId: string) {
  return queryOptions({
    // Read again with the list.
    queryKey: commentKeys.liked(videoId, commentId),
    queryFn: ({ signal }) => call(hasLikedComment, { params: { commentId }, signal }),
    gcTime: 0,
  })
}

/** Fields of a comment that the specification does not require. */
export const optionalFieldsOf = (comment: Partial<Comment>) => ({
  parentId: comment.parentId ?? null,
  replies: comment.replies ?? 0,
  mentions: comment.mentions ?? [],
  editedAt: comment.editedAt ?? null,
  isPinned: comment.isPinned ?? false,
  isHearted: comment.isHearted ?? false,
  isHeld: comment.isHeld ?? false,
})

/** Adds a comment and refetches the list. Failures are only logged, by specification. */
export function useAddComment(videoId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (content: string) => call(addComment, { body: { videoId, content } }),
    // Not awaited: the form is cleared before the comment shows.
    onSuccess: () => void reload(client, videoId),
    onError: (error) => console.error('Commenting failed', error),
  })
}

/** Deletes an own comment, or one on an own video, and refetches the list. Ignores calls while one is pending. */
export function useDeleteComment(
  endpoint: typeof deleteComment | typeof removeComment,
  videoId: string,
  commentId: string,
  { onDeleted, onRefused }: { onDeleted: () => void; onRefused: (error: unknown) => void },
) {
  const client = useQueryClient()
  const mutationKey = ['comments', commentId, 'delete']
  const { mutate, isError } = useMutation({
    mutationKey,
    mutationFn: () => call(endpoint, { params: { videoId, commentId } }),
    onSuccess: () => {
      onDeleted()
      return reload(client, videoId)
    },
    onError: (error) => console.error('Deleting the comment failed', error),
  })
  // Reads the cache, because a second click may arrive before the first one has rendered.
  const remove = () => {
    if (client.isMutating({ mutationKey }) === 0) mutate(undefined, { onError: onRefused })
  }
  return { remove, hasFailed: isError }
}

/** Cancels pending requests first: TanStack Query would keep a first one, which is older than the change. */
async function reload(client: QueryClient, videoId: string) {
  await client.cancelQueries({ queryKey: commentKeys.ofVideo(videoId) })
  await client.invalidateQueries({ queryKey: commentKeys.ofVideo(videoId) })
}

/** Changes of comments after which everything is read again. Failures are logged. */
export function useCommentChanges(videoId: string, onRefused: (error: unknown) => void) {
  const client = useQueryClient()
  const options = {
    mutationFn: (change: () => Promise<unknown>) => change(),
    onSuccess: () => void reload(client, videoId),
    onError: (error: Error) => {
      console.error('Changing the comment failed', error)
      onRefused(error)
    },
  }
  const { mutateAsync: send } = useMutation(options)
  const { mutate, error, isPending: isChanging } = useMutation(options)
  return {
    /** Throws what the server rejects. */
    reply: (commentId: string, content: string) =>
      send(() => call(addReply, { params: { commentId }, body: { content } })),
    /** Throws what the server rejects. */
    edit: (commentId: string, content: string) =>
      send(() => call(editComment, { params: { commentId }, body: { content } })),
    mark: (commentId: string, body: { isPinned?: boolean; isHearted?: boolean }) =>
      mutate(() => call(markComment, { params: { videoId, commentId }, body })),
    approve: (commentId: string, onSuccess: () => void) =>
      mutate(() => call(approveComment, { params: { videoId, commentId } }), { onSuccess }),
    hold: (commentId: string, onSuccess: () => void) =>
      mutate(() => call(holdComment, { params: { videoId, commentId } }), { onSuccess }),
    restore: (commentId: string, onSettled: (error: unknown) => void) =>
      mutate(() => call(restoreComment, { params: { videoId, commentId } }), {
        onSettled: (_, failure) => onSettled(failure),
      }),
    isChanging,
    /** Why the last mark, approval, hiding or undo failed. */
    failure: error ? failureMessage(error, t`This could not be saved. Try again in a moment.`) : undefined,
  }
}

/** Likes or unlikes a comment; a dislike first requests whether there is a like to remove. */
export function useCommentLikes(videoId: string, commentId: string, onRefused: (error: unknown) => void) {
  const client = useQueryClient()
  const queryKey = commentKeys.ofVideo(videoId)
  const mutationKey = ['comments', commentId, 'toggle']
  const isLiked = ({ liked }: Partial<Comment>) =>
    liked ?? client.getQueryData(commentLikedQuery(videoId, commentId).queryKey)?.liked ?? false
  const change = (update: (comment: Comment) => Comment) =>
    client.setQueriesData<CommentLists>(
      { queryKey, predicate: ({ queryKey: [, , kind] }) => kind !== 'liked' },
      (data) =>
        data && withComment(data, commentId, (comment) => update({ ...comment, liked: isLiked(comment) })),
    )
  /** Cancels a pending list request, which is older than this change. */
  const onSettled = () => {
    if (client.isFetching({ queryKey }) > 0) void reload(client, videoId)
  }
  const logMessage = t`Liking the comment failed`

  const like = useToggle({
    mutationKey,
    send: () => call(toggleCommentLike, { params: { commentId } }),
    onFlip: () => change(flipped),
    onResponse: (state) => change((comment) => settled(comment, state)),
    onRefused,
    onSettled,
    logMessage,
  })
  const dislike = useMutation({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    mutationFn: async () => {
      const { liked } = await call(hasLikedComment, { params: { commentId } })
      return liked ? { state: await call(toggleCommentLike, { params: { commentId } }) } : undefined
    },
    onError: (error) => console.error(logMessage, error),
    onSuccess: (taken) => {
      if (taken) change((comment) => settled(flipped({ ...comment, liked: true }), taken.state))
    },
    onSettled,
  })
  return {
    like: like.toggle,
    dislike: () => dislike.mutate(undefined, { onError: onRefused }),
    hasLikeFailed: like.hasFailed,
    hasDislikeFailed: dislike.isError,
  }
}

/** The comment of the response; fields it lacks keep their optimistic value. */
function settled(comment: Comment, state: Partial<ResultOf<typeof toggleCommentLike>> | null): Comment {
  return { ...comment, liked: state?.liked ?? comment.liked, likes: state?.totalLikes ?? comment.likes }
}

function flipped(comment: Comment): Comment {
  return { ...comment, liked: !comment.liked, likes: Math.max(0, comment.likes + (comment.liked ? -1 : 1)) }
}

/** The forms in which the queries above keep comments. */
type CommentLists = InfiniteData<Page<Comment>> | Comment[]

function withComment(
  data: CommentLists,
  commentId: string,
  update: (comment: Comment) => Comment,
): CommentLists {
  const inList = (comments: Comment[]) =>
    comments.map((comment) => (comment._id === commentId ? update(comment) : comment))
  if (Array.isArray(data)) return inList(data)
  return { ...data, pages: data.pages.map((page) => ({ ...page, items: inList(page.items) })) }
}
