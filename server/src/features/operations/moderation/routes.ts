import * as contract from '@kinora/contract/operations/moderation.ts'
import type { WebContext } from '../../../context/context.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { ruleThatHolds } from '../../conversation/comments/rules.ts'
import { countToDecide } from '../../messages/notifications/queries/decisions.ts'
import { changeAnyHeld } from '../administration/actions/comments.ts'
import { endAnyStream } from '../administration/actions/live.ts'
import { searchAsModerator } from '../administration/actions/search-as-moderator.ts'
import {
  changeSensitiveMark,
  changeVideoApproval,
  deleteVideo,
  reprocessAny,
} from '../administration/actions/videos.ts'
import { getPerson, listComments, listVideos } from '../administration/queries.ts'
import {
  changeSuspensionForReason,
  changeTakedownForReason,
  deleteClipsForReason,
  deleteCommentsForReason,
  restoreComments,
} from './actions.ts'

export const moderationRoutes = [
  route(contract.countToDecide, ({ user }, { db }: WebContext) => countToDecide(db, user.id)),

  route(
    contract.changeSuspension,
    { clears: ['videos', 'comments'] },
    async ({ params, body, user }, context: WebContext) => {
      const { id } = await changeSuspensionForReason(context, user, params.username, body)
      return getPerson(context.db, id)
    },
  ),

  route(contract.listAllVideos, ({ query, user }, context: WebContext) =>
    searchAsModerator(context, user.id, query.text, (db) => listVideos(db, query, user.id)),
  ),

  route(
    contract.changeTakedown,
    { clears: ['videos'] },
    async ({ params, body, user }, context: WebContext) => {
      await changeTakedownForReason(context, user, params.id, body.reason)
      return null
    },
  ),

  route(
    contract.changeSensitiveMark,
    { clears: ['videos'] },
    async ({ params, body, user }, context: WebContext) => {
      await changeSensitiveMark(context, user, params.id, body.reason)
      return null
    },
  ),

  route(contract.reprocessAnyVideo, { clears: ['videos'] }, async ({ params, user }, context: WebContext) => {
    await reprocessAny(context, user, params.id)
    return null
  }),

  route(
    contract.changeVideoApproval,
    { clears: ['videos'] },
    async ({ params, body, user }, context: WebContext) => {
      await changeVideoApproval(context, user, params.id, body.isApproved)
      return null
    },
  ),

  route(
    contract.deleteAnyVideo,
    { clears: ['videos', 'comments'] },
    async ({ params, user }, context: WebContext) => {
      await deleteVideo(context, user, params.id)
      return null
    },
  ),

  route(contract.deleteAnyClips, { clears: ['clips'] }, async ({ body, user }, context: WebContext) => ({
    ids: await deleteClipsForReason(context, user, body.ids, body.reason),
  })),

  route(contract.endLiveStream, { clears: [] }, async ({ params, query, user }, context: WebContext) => {
    await endAnyStream(context, user, params.id, query.reason)
    return null
  }),

  route(contract.listAllComments, async ({ query, user }, context: WebContext) => {
    const { comments, total } = await searchAsModerator(context, user.id, query.text, (db) =>
      listComments(db, query),
    )
    const site = context.siteSettings.current
    const withRule = (comment: (typeof comments)[number]) => ({
      ...comment,
      heldBy: comment.isHeld ? ruleThatHolds(comment.content, site) : null,
    })
    return { comments: comments.map(withRule), total }
  }),

  route(
    contract.approveAnyComments,
    { clears: ['comments'] },
    async ({ body, user }, context: WebContext) => ({
      ids: await changeAnyHeld(context, user, body.ids, false),
    }),
  ),

  route(contract.holdAnyComments, { clears: ['comments'] }, async ({ body, user }, context: WebContext) => ({
    ids: await changeAnyHeld(context, user, body.ids, true),
  })),

  route(
    contract.deleteAnyComments,
    { clears: ['comments'] },
    async ({ body, user }, context: WebContext) => ({
      ids: await deleteCommentsForReason(context, user, body.ids, body.reason),
    }),
  ),

  route(
    contract.restoreAnyComments,
    { clears: ['comments'] },
    async ({ body, user }, context: WebContext) => ({
      ids: await restoreComments(context, user, body.ids),
    }),
  ),
]
