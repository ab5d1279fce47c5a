import { call } from '@kinora/contract/client.ts'
import type { Comment, deleteComment, removeComment } from '@kinora/contract/comments.ts'
import { addComment, listComments, hasLikedComment, toggleCommentLike } from '@kinora/contract/calls.ts'
import type { Page, ResultOf } from '@kinora/contract/endpoint.ts'
import {
  type InfiniteData,
  infiniteQueryOptions,
  queryOptions,
  type QueryClient,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { firstPage, pageQuery } from '../../lib/list-pages.ts'
import { useToggle } from '../../lib/use-toggle.ts'

/** Comments of a video, newest first, page by page; refetched on every visit. */
export function commentsQuery(videoId: string) {
  return infiniteQueryOptions({
    queryKey: ['comments', videoId],
    queryFn: async ({ pageParam, signal }) => {
      try {
        return await call(listComments, { params: { videoId }, query: pageQuery(pageParam), signal })
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

/** Whether the caller likes a comment, for lists without that field. */
export function commentLikedQuery(videoId: string, commentId: string) {
  return queryOptions({
    // Read again with the list.
    queryKey: [...commentsQuery(videoId).queryKey, commentId, 'liked'],
    queryFn: ({ signal }) => call(hasLikedComment, { params: { commentId }, signal }),
    gcTime: 0,
  })
}

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
  const { mutate } = useMutation({
    mutationKey,
    mutationFn: () => call(endpoint, { params: { videoId, commentId } }),
    onSuccess: () => {
      onDeleted()
      return reload(client, videoId)
    },
    onError: (error) => console.error('Deleting the comment failed', error),
  })
  // Reads the cache, because a second click may arrive before the first one has rendered.
  return () => {
    if (client.isMutating({ mutationKey }) === 0) mutate(undefined, { onError: onRefused })
  }
}

function reload(client: QueryClient, videoId: string) {
  return client.invalidateQueries({ queryKey: commentsQuery(videoId).queryKey })
}

/** Likes or unlikes a comment; a dislike first requests whether there is a like to remove. */
export function useCommentLikes(videoId: string, commentId: string, onRefused: (error: unknown) => void) {
  const client = useQueryClient()
  const { queryKey } = commentsQuery(videoId)
  const mutationKey = ['comments', commentId, 'toggle']
  const isLiked = ({ liked }: Partial<Comment>) =>
    liked ?? client.getQueryData(commentLikedQuery(videoId, commentId).queryKey)?.liked ?? false
  const change = (update: (comment: Comment) => Comment) =>
    client.setQueryData(
      queryKey,
      (data) =>
        data && withComment(data, commentId, (comment) => update({ ...comment, liked: isLiked(comment) })),
    )
  /** Cancels a pending list request, which is older than this change. */
  const onSettled = () => {
    if (client.isFetching({ queryKey, exact: true }) > 0) void reload(client, videoId)
  }
  const failure = 'Liking the comment failed'

  const like = useToggle({
    mutationKey,
    send: () => call(toggleCommentLike, { params: { commentId } }),
    onFlip: () => change(flipped),
    onResponse: (state) => change((comment) => settled(comment, state)),
    onRefused,
    onSettled,
    failure,
  })
  const dislike = useMutation({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    mutationFn: async () => {
      const { liked } = await call(hasLikedComment, { params: { commentId } })
      return liked ? { state: await call(toggleCommentLike, { params: { commentId } }) } : undefined
    },
    onError: (error) => console.error(failure, error),
    onSuccess: (taken) => {
      if (taken) change((comment) => settled(flipped({ ...comment, liked: true }), taken.state))
    },
    onSettled,
  })
  return { like, dislike: () => dislike.mutate(undefined, { onError: onRefused }) }
}

/** The comment of the response; fields it lacks keep their optimistic value. */
function settled(comment: Comment, state: Partial<ResultOf<typeof toggleCommentLike>> | null): Comment {
  return { ...comment, liked: state?.liked ?? comment.liked, likes: state?.totalLikes ?? comment.likes }
}

function flipped(comment: Comment): Comment {
  return { ...comment, liked: !comment.liked, likes: Math.max(0, comment.likes + (comment.liked ? -1 : 1)) }
}

function withComment<Cursor>(
  data: InfiniteData<Page<Comment>, Cursor>,
  commentId: string,
  update: (comment: Comment) => Comment,
): InfiniteData<Page<Comment>, Cursor> {
  return {
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      items: page.items.map((comment) => (comment._id === commentId ? update(comment) : comment)),
    })),
  }
}
