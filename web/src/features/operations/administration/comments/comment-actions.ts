import { plural, t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import {
  type ListedComment,
  approveAnyComments,
  deleteAnyComments,
  holdAnyComments,
  restoreAnyComments,
} from '@kinora/contract/operations/moderation.ts'
import type { Action } from '../use-actions.ts'

/** "2 comments deleted." */
export const countDeleted = (count: number) =>
  plural(count, { one: `# comment deleted.`, other: `# comments deleted.` })

/** Publishes comments that wait for approval. */
export function approval(comments: readonly ListedComment[]): Action {
  const body = { ids: comments.map(({ _id }) => _id) }
  const [only, ...others] = comments
  return {
    run: () => call(approveAnyComments, { body }),
    done:
      only && others.length === 0
        ? t`Comment of @${{ author: only.author }} approved.`
        : plural(comments.length, { one: '# comment approved.', other: '# comments approved.' }),
    undo: () => call(holdAnyComments, { body }),
  }
}

/** Hides comments from everybody, with a reason or without. */
export function removal(ids: readonly string[], reason = ''): Action {
  const body = { ids: [...ids] }
  return {
    run: () => call(deleteAnyComments, { body: { ...body, reason } }),
    done: countDeleted(ids.length),
    undo: () => call(restoreAnyComments, { body }),
  }
}

/** Shows comments again that moderators removed. */
export function restoration(ids: readonly string[]): Action {
  const body = { ids: [...ids] }
  return {
    run: () => call(restoreAnyComments, { body }),
    done: plural(ids.length, { one: `# comment restored.`, other: `# comments restored.` }),
    undo: () => call(deleteAnyComments, { body: { ...body, reason: '' } }),
  }
}
