import {
  type AuditEntry,
  getOverview,
  listAuditLog,
  listInvitations,
} from '@kinora/contract/operations/administration.ts'
import {
  type ListedComment,
  type ListedVideo,
  deleteAnyComments,
  listAllComments,
  listAllVideos,
  restoreAnyComments,
} from '@kinora/contract/operations/moderation.ts'
import {
  type Person,
  getPerson,
  listPeople,
  listSessionsOfPerson,
} from '@kinora/contract/operations/people.ts'
import { listBackups } from '@kinora/contract/operations/backups.ts'
import { getHealth } from '@kinora/contract/operations/health.ts'
import { getTranscriptionWork, listJobs } from '@kinora/contract/operations/jobs.ts'
import { listReports, type Report } from '@kinora/contract/operations/reports.ts'
import { getSiteSettings } from '@kinora/contract/operations/site.ts'
import { getStorageUse } from '@kinora/contract/operations/storage.ts'
import { call } from '@kinora/contract/client.ts'
import { getFolderImports } from '@kinora/contract/portability/folder-imports.ts'
import {
  type CommentFilter,
  commentFilters,
  type PeopleFilter,
  peopleFilters,
  type ReportFilter,
  reportFilters,
  type VideoState,
  videoStates,
} from '@kinora/contract/constants.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { administrationKeys } from '../../../lib/administration-keys.ts'

/** Entries of a page. */
export const pageSize = 50

/** Filters of a list. */
export interface ListView {
  /** Only entries that contain it; empty for all. */
  text: string
  /** Only entries of a kind; empty for all. */
  show: string
  /** Only entries of this username, in lists that have authors. */
  author?: string
  page: number
}

/** The newest entries of a list. */
export const newestFive = { text: '', show: '', page: 0, limit: 5 }

/** A page of a list. */
export interface Listed<Entry> {
  entries: Entry[]
  /** Of all pages. */
  total: number
}

const rangeOf = ({ text, page, limit = pageSize }: ListView & { limit?: number }) => ({
  ...(text ? { text } : {}),
  offset: page * limit,
  limit,
})

function listQuery<Entry>(
  name: string,
  view: ListView & { limit?: number },
  list: (signal: AbortSignal) => Promise<Listed<Entry>>,
) {
  return queryOptions({
    queryKey: administrationKeys.list(name, view),
    queryFn: ({ signal }) => list(signal),
    placeholderData: keepPreviousData,
  })
}

/** Counts of the site's content. */
export const overviewQuery = queryOptions({
  queryKey: administrationKeys.overview,
  queryFn: ({ signal }) => call(getOverview, { signal }),
})

/** The health of the site; refetched while the page is visible. */
export const healthQuery = queryOptions({
  queryKey: administrationKeys.health,
  queryFn: ({ signal }) => call(getHealth, { signal }),
  refetchInterval: 30_000,
})

/** Accounts, newest first. `view.show`: one of `peopleFilters`. */
export const peopleQuery = (view: ListView & { limit?: number }) =>
  listQuery<Person>('people', view, async (signal) => {
    const show = peopleFilters.find((name): name is PeopleFilter => name === view.show)
    const { people, total } = await call(listPeople, { query: { ...rangeOf(view), show }, signal })
    return { entries: people, total }
  })

/** One account with what moderators want to know about it. */
export const personQuery = (username: string) =>
  queryOptions({
    queryKey: administrationKeys.person(username),
    queryFn: ({ signal }) => call(getPerson, { params: { username }, signal }),
  })

/** Where somebody is signed in, last used first. */
export const sessionsOfPersonQuery = (username: string) =>
  queryOptions({
    queryKey: administrationKeys.sessionsOf(username),
    queryFn: ({ signal }) => call(listSessionsOfPerson, { params: { username }, signal }),
  })

/** Videos of everybody, newest first. `view.show`: one of `videoStates`. */
export const allVideosQuery = (view: ListView & { limit?: number }) =>
  listQuery<ListedVideo>('videos', view, async (signal) => {
    const state = videoStates.find((name): name is VideoState => name === view.show)
    const { videos, total } = await call(listAllVideos, { query: { ...rangeOf(view), state }, signal })
    return { entries: videos, total }
  })

/** Comments of everybody, newest first. `view.show`: one of `commentFilters`. */
export const allCommentsQuery = (view: ListView) =>
  listQuery<ListedComment>('comments', view, async (signal) => {
    const show = commentFilters.find((name): name is CommentFilter => name === view.show)
    const query = { ...rangeOf(view), show, author: view.author || undefined }
    const { comments, total } = await call(listAllComments, { query, signal })
    return { entries: comments, total }
  })

/** Comments of one call. */
const batchSize = 100

/** Deletes all comments of a person. Reports the ids of each batch, so that they are known if a later one fails. */
export async function deleteCommentsOf(
  author: string,
  onDeleted: (ids: readonly string[]) => void,
): Promise<void> {
  // all are listed before the first is deleted: a replica may still list deleted ones
  const listed = new Set<string>()
  for (let offset = 0, all = 1; offset < all; offset += batchSize) {
    const { comments, total } = await call(listAllComments, { query: { author, offset, limit: batchSize } })
    for (const { _id } of comments) listed.add(_id)
    all = total
  }
  const ids = [...listed]
  for (let at = 0; at < ids.length; at += batchSize) {
    const batch = ids.slice(at, at + batchSize)
    const { ids: deletedIds } = await call(deleteAnyComments, { body: { ids: batch, reason: '' } })
    onDeleted(deletedIds)
  }
}

/** Restores comments that moderators deleted. */
export async function restoreComments(ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += batchSize)
    await call(restoreAnyComments, { body: { ids: ids.slice(at, at + batchSize) } })
}

/** Reports: open ones, or with `view.show` one of `reportFilters`. */
export const reportsQuery = (view: ListView) =>
  listQuery<Report>('reports', view, async (signal) => {
    const show = reportFilters.find((name): name is ReportFilter => name === view.show)
    const { offset, limit } = rangeOf(view)
    const { reports, total } = await call(listReports, { query: { show, offset, limit }, signal })
    return { entries: reports, total }
  })

/** Links with which people register, newest first. */
export const invitationsQuery = queryOptions({
  queryKey: administrationKeys.invitations,
  queryFn: ({ signal }) => call(listInvitations, { signal }),
})

/** Background work; refetched while the page is visible. */
export const jobsQuery = queryOptions({
  queryKey: administrationKeys.jobs,
  queryFn: ({ signal }) => call(listJobs, { signal }),
  refetchInterval: 5000,
})

/** Automatic captions of the whole site; refetched while the page is visible. */
export const transcriptionWorkQuery = queryOptions({
  queryKey: administrationKeys.transcriptions,
  queryFn: ({ signal }) => call(getTranscriptionWork, { signal }),
  refetchInterval: 30_000,
})

/** Sizes of what the site stores; refetched while a job measures. */
export const storageQuery = queryOptions({
  queryKey: administrationKeys.storage,
  queryFn: ({ signal }) => call(getStorageUse, { signal }),
  refetchInterval: ({ state }) => (state.data?.isMeasuring ? 2000 : 30_000),
})

/** Backups; refetched while one is made or verified. */
export const backupsQuery = queryOptions({
  queryKey: administrationKeys.backups,
  queryFn: ({ signal }) => call(listBackups, { signal }),
  refetchInterval: ({ state }) => (state.data?.isRunning ? 2000 : 30_000),
})

/** Folders of the server, and the last import of one; refetched while one runs. */
export const folderImportsQuery = queryOptions({
  queryKey: administrationKeys.folders,
  queryFn: ({ signal }) => call(getFolderImports, { signal }),
  refetchInterval: ({ state }) => (state.data?.isRunning ? 2000 : 30_000),
})

/** The settings of the site. */
export const siteSettingsQuery = queryOptions({
  queryKey: administrationKeys.settings,
  queryFn: ({ signal }) => call(getSiteSettings, { signal }),
})

/** Actions of moderators and administrators, newest first. */
export const auditLogQuery = (view: ListView) =>
  listQuery<AuditEntry>('audit-log', view, (signal) => call(listAuditLog, { query: rangeOf(view), signal }))
