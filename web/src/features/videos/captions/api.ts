import {
  type OwnCaptions,
  addCaptions,
  changeCaptions,
  deleteCaptions,
  listOwnCaptions,
} from '@kinora/contract/videos/captions.ts'
import { call } from '@kinora/contract/client.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { captionKeys } from '../../../lib/rare-keys.ts'
import { videoKeys } from '../../../lib/query-keys.ts'

/** Captions of an own video. */
export function ownCaptionsQuery(id: string) {
  return queryOptions({
    queryKey: captionKeys.own(id),
    queryFn: ({ signal }) => call(listOwnCaptions, { params: { id }, signal }),
  })
}

/** The WebVTT text of captions. A URL never gets other content. */
export function captionsTextQuery(url: string) {
  return queryOptions({
    queryKey: captionKeys.text(url),
    queryFn: async ({ signal }) => {
      const response = await fetch(url, { signal })
      if (!response.ok) throw new Error(`Captions returned ${response.status}`)
      return response.text()
    },
    staleTime: Infinity,
    // Captions of a file are extracted on the first request, which may end before they are.
    retry: 5,
  })
}

export interface CaptionsForm {
  language?: string
  label?: string
  isDefault?: boolean
  /** The URL of the captions that were edited: the call fails when they were changed since. */
  url?: string | undefined
  /** Index of the replaced track among the caption tracks of the video file. */
  fileTrack?: number | undefined
  file?: Blob
}

function bodyOf({ language, label, isDefault, url, fileTrack, file }: CaptionsForm): FormData {
  const form = new FormData()
  if (language !== undefined) form.set('language', language)
  if (label !== undefined) form.set('label', label)
  if (isDefault !== undefined) form.set('isDefault', String(isDefault))
  if (url !== undefined) form.set('url', url)
  if (fileTrack !== undefined) form.set('fileTrack', String(fileTrack))
  if (file) form.set('captions', file, 'captions.vtt')
  return form
}

/** Adds captions, or changes those of an id. */
export function useSaveCaptions(videoId: string) {
  const onSuccess = useListed(videoId)
  return useMutation({
    mutationFn: ({ captionsId, form }: { captionsId: string | null; form: CaptionsForm }) =>
      captionsId === null
        ? call(addCaptions, { params: { id: videoId }, body: bodyOf(form) })
        : call(changeCaptions, { params: { id: videoId, captionsId }, body: bodyOf(form) }),
    onSuccess,
  })
}

export function useDeleteCaptions(videoId: string) {
  const onSuccess = useListed(videoId)
  return useMutation({
    mutationFn: (captionsId: string) => call(deleteCaptions, { params: { id: videoId, captionsId } }),
    onSuccess,
  })
}

/** Takes over the list that a change returns. */
function useListed(videoId: string) {
  const client = useQueryClient()
  return (tracks: OwnCaptions[]) => {
    client.setQueryData(ownCaptionsQuery(videoId).queryKey, tracks)
    client.removeQueries({ queryKey: videoKeys.lists, type: 'inactive' })
  }
}
