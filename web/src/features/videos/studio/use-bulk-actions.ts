import { plural, t } from '@lingui/core/macro'
import type { ChangeResult, OwnVideo } from '@kinora/contract/videos/studio.ts'
import { useState } from 'react'
import { useDelayed } from '../../../lib/browser/use-delayed.ts'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import type { ErrorTranslator } from '../../../lib/i18n/translate-error.ts'
import { useErrorTranslator } from '../../../lib/i18n/use-error-translator.ts'
import { useChangeVideos, useDeleteVideos, type BulkChanges } from './api.ts'

/** Time in which a bulk action can be undone. */
const undoMs = 10_000

/** Message about a bulk action, with a button to undo it. */
export interface BulkNotice {
  text: string
  /** One sentence for each video that could not be changed, with the reason. */
  failures: readonly string[]
  undo?: (() => void) | undefined
}

export interface BulkChange {
  changeOf: (video: OwnVideo) => BulkChanges
  /** The change that undoes it: the previous values of the video. */
  revertOf: (video: OwnVideo) => BulkChanges
  /** End of the sentence "3 videos are …", e.g. "now private". */
  outcome: string
}

/**
 * Changes and deletes several videos, and reports the results. A change can be undone for ten seconds. A deletion hides the
 * videos immediately and is sent after ten seconds, unless it is undone.
 */
export function useBulkActions(channel?: string) {
  const [notice, setNotice] = useState<BulkNotice>()
  const [deletedIds, setDeletedIds] = useState<ReadonlySet<string>>(new Set())
  const changing = useChangeVideos(channel)
  const deleting = useDeleteVideos(channel)
  const delay = useDelayed()
  const explain = useErrorTranslator()

  function change(videos: readonly OwnVideo[], { changeOf, revertOf, outcome }: BulkChange) {
    // The previous action can no longer be undone: its deletion is sent.
    delay.flush()
    setNotice({ text: t`Saving…`, failures: [] })
    const bodies = videos.map((video) => ({ _id: video._id, ...changeOf(video) }))
    changing.mutate(bodies, {
      onSuccess: (results) => {
        const { changed, failures } = outcomeOf(videos, results, explain)
        if (changed.length === 0) return setNotice({ text: '', failures })
        const undo = () => revert(changed, revertOf)
        setNotice({
          text: plural(changed.length, {
            one: `# video is ${outcome}.`,
            other: `# videos are ${outcome}.`,
          }),
          failures,
          undo,
        })
        delay.after(undoMs, () => setNotice({ text: '', failures }))
      },
      onError: (error) => setNotice({ text: '', failures: [failureMessage(error)] }),
    })
  }

  function revert(videos: readonly OwnVideo[], revertOf: BulkChange['revertOf']) {
    delay.cancel()
    setNotice({ text: t`Undoing…`, failures: [] })
    const bodies = videos.map((video) => ({ _id: video._id, ...revertOf(video) }))
    changing.mutate(bodies, {
      onSuccess: (results) => {
        const { changed, failures } = outcomeOf(videos, results, explain)
        setNotice({ text: changed.length > 0 ? t`Undone.` : '', failures })
      },
      onError: (error) => setNotice({ text: '', failures: [failureMessage(error)] }),
    })
  }

  function remove(videos: readonly OwnVideo[]) {
    delay.flush()
    const ids = videos.map(({ _id }) => _id)
    const undo = () => {
      delay.cancel()
      unhide(ids)
      setNotice(undefined)
    }
    setDeletedIds((all) => new Set([...all, ...ids]))
    setNotice({ text: deletedSoon(videos.length), failures: [], undo })
    delay.after(undoMs, () => removeNow(videos))
  }

  function removeNow(videos: readonly OwnVideo[]) {
    const pending: BulkNotice = { text: t`Deleting…`, failures: [] }
    setNotice(pending)
    // Another action may have reported something meanwhile.
    const report = (text: string, failures: readonly string[]) =>
      setNotice((current) =>
        current === pending || !current
          ? { text, failures }
          : { ...current, failures: [...current.failures, ...failures] },
      )
    const ids = videos.map(({ _id }) => _id)
    deleting.mutate(ids, {
      onSuccess: (results) => {
        const { changed, failures } = outcomeOf(videos, results, explain)
        unhide(results.filter(({ error }) => error !== null).map(({ _id }) => _id))
        report(changed.length > 0 ? deletedNow(changed.length) : '', failures)
      },
      onError: (error) => {
        unhide(ids)
        report('', [failureMessage(error)])
      },
    })
  }

  function unhide(ids: readonly string[]) {
    setDeletedIds((all) => new Set([...all].filter((id) => !ids.includes(id))))
  }

  return { notice, deletedIds, change, remove }
}

/** The videos that were changed, and one sentence for each of the others. */
function outcomeOf(videos: readonly OwnVideo[], results: readonly ChangeResult[], explain: ErrorTranslator) {
  const byId = new Map(results.map((result) => [result._id, result]))
  return {
    changed: videos.filter(({ _id }) => byId.get(_id)?.error === null),
    failures: videos.flatMap(({ _id, title }) => {
      const result = byId.get(_id)
      const error = result?.error && explain(result.cause, result.error)
      return error ? [t`Could not change “${title}”: ${error}`] : []
    }),
  }
}

const undoSeconds = undoMs / 1000

const deletedSoon = (count: number) =>
  plural(count, {
    one: `# video is deleted in ${undoSeconds} seconds.`,
    other: `# videos are deleted in ${undoSeconds} seconds.`,
  })

const deletedNow = (count: number) =>
  plural(count, { one: `# video is deleted.`, other: `# videos are deleted.` })
